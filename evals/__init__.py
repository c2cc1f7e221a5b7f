"""Protocols, simulated shoppers, scoring and reports. Nothing but the command line imports this package."""
