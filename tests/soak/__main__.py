"""Long runs that print figures, and end with 1 if anything is not as it must be: `python -m tests.soak NAME --help`."""

import argparse
import sys

from tests.soak import cancels, matches, watchers

PROGRAMS = {"matches": matches, "watchers": watchers, "cancels": cancels}


def main() -> None:
    """Runs the program that is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    named = parser.add_subparsers(dest="program", required=True)
    for name, program in PROGRAMS.items():
        description = (program.__doc__ or "").partition("\n")[0]
        program.add_options(named.add_parser(name, description=description, help=description))
    options = parser.parse_args()
    sys.exit(0 if PROGRAMS[options.program].main(options) else 1)


if __name__ == "__main__":
    main()
