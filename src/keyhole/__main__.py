"""``python -m keyhole`` is the command ``keyhole``."""

from .cli import main

if __name__ == "__main__":
    main()
