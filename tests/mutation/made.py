"""Mutants that Cosmic Ray makes of the engine, and which of them stand for all."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from tests.mutation.trial import ENGINE

SEED = "gammon_engine 1"

# Two that want names to work on; and without its decorator no dataclass or property of the engine works at all.
_NOT_USED = {"VariableInserter", "VariableReplacer", "RemoveDecorator"}
# Of enums, small numbers and None both kinds of comparison say the same.
_SAME_AS = {("Is", "Eq"), ("IsNot", "NotEq"), ("Eq", "Is"), ("NotEq", "IsNot")}

Position = tuple[int, int]
Span = tuple[Position, Position]


@dataclass(frozen=True, slots=True)
class Change:
    """What an operator of Cosmic Ray does at its `occurrence`-th place in a file."""

    operator: str
    occurrence: int


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a file, and the changes of one kind that can be made there. `key` outlives edits elsewhere."""

    path: Path
    span: Span
    key: str
    changes: tuple[Change, ...]

    @property
    def rank(self) -> str:
        """A number as good as drawn by lot, the same as long as the line is."""
        return sha256(f"{SEED}: {self.key}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Made:
    """One mutant: a file of the engine with other text."""

    site: Site
    operator: str
    source: str


def sample(count: int) -> list[Made]:
    """`count` mutants at as many sites, drawn by lot from all, in the order of the files; and one change at each."""
    drawn: list[Made] = []
    for site in sorted(sites(), key=lambda site: site.rank):
        made = _changed(site)
        if made is not None:
            drawn.append(made)
        if len(drawn) == count:
            break
    return sorted(drawn, key=lambda made: (made.site.path, made.site.span))


def _changed(site: Site) -> Made | None:
    """The change that the lot gives the site; None if it makes no program, or the same one."""
    change = site.changes[int(site.rank[:8], 16) % len(site.changes)]
    text = site.path.read_text(encoding="utf-8")
    source = mutate_code(text, plugins.get_operator(change.operator)(), change.occurrence)
    try:
        same = ast.dump(ast.parse(source)) == ast.dump(ast.parse(text))
    except SyntaxError:
        return None
    return None if same else Made(site, change.operator, source)


def sites() -> Iterator[Site]:
    """Every place of the engine that can be changed, what no test could ask left out."""
    for path in sorted(ENGINE.rglob("*.py")):
        yield from _sites(path)


def _sites(path: Path) -> Iterator[Site]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    beside_the_law = list(_beside_the_law(ast.parse(text)))
    operators = {name: plugins.get_operator(name) for name in plugins.operator_names() if _is_used(name)}
    occurrences: Counter[str] = Counter()
    places: dict[tuple[Span, str], list[Change]] = defaultdict(list)
    for node in ast_nodes(get_ast(text)):
        for name, operator in operators.items():
            for start, end in operator().mutation_positions(node):
                change = Change(name, occurrences[name])
                occurrences[name] += 1
                if not any(first <= start and end <= last for first, last in beside_the_law):
                    places[(start, end), _kind(name)].append(change)
    seen: Counter[str] = Counter()
    for (span, kind), changes in sorted(places.items()):
        (line, column), _ = span
        words = lines[line - 1]
        key = f"{path.relative_to(ENGINE)}: {words.strip()}: {column - len(words) + len(words.lstrip())}: {kind}"
        seen[key] += 1
        yield Site(path, span, f"{key}: {seen[key]}", tuple(changes))


def _kind(operator: str) -> str:
    """What an operator replaces, whatever by."""
    return re.sub(r"(_[A-Za-z]+)_[A-Za-z]+$", r"\1", operator.rpartition("/")[2])


def _is_used(name: str) -> bool:
    plain = name.rpartition("/")[2]
    if plain in _NOT_USED:
        return False
    replaced = tuple(plain.split("_")[1:])
    return not (plain.startswith("ReplaceComparisonOperator") and replaced in _SAME_AS)


def _beside_the_law(tree: ast.Module) -> Iterator[Span]:
    """Where nothing runs or nothing is decided: annotations, names of types, decorators."""
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign():
                yield _span(node.annotation)
            case ast.arg(annotation=ast.expr() as annotation):
                yield _span(annotation)
            case ast.FunctionDef():
                yield from map(_span, [*node.decorator_list, *([node.returns] if node.returns else [])])
            case ast.ClassDef():
                yield from map(_span, node.decorator_list)
            case ast.Assign(targets=[ast.Name(id=name)]) if name in _types(tree):
                yield _span(node)


def _types(tree: ast.Module) -> set[str]:
    """Names that a module gives to types, such as `Outcome = Win | Remi | Finished`."""
    assigned = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
    return {
        target.id
        for target in assigned
        if isinstance(target, ast.Name) and re.fullmatch("[A-Z][A-Za-z]*[a-z]", target.id)
    }


def _span(node: ast.expr | ast.stmt) -> Span:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
