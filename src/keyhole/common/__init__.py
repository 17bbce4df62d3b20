"""What every room may use: checks of parameters, progress, files written whole, lists of names, an HTML page."""
