"""What every package may use: checks of parameters, progress, files written whole, lists of names, an HTML page."""
