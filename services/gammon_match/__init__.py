"""Match service: package"""
