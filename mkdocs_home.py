"""A hook of mkdocs: README.md is the home page of the site.

Its links into docs/ are made relative to that folder, and links from the pages to the README lead to the home page.
"""

import re
from pathlib import Path

from mkdocs.structure.files import File

README = Path(__file__).with_name("README.md")


def on_files(files, config):
    home = re.sub(r"\]\(docs/", "](", README.read_text(encoding="utf-8"))
    files.append(File.generated(config, "index.md", content=home))
    return files


def on_page_markdown(markdown, page, **_):
    up = "../" * page.file.src_uri.count("/")
    return re.sub(rf"\]\({re.escape(up)}\.\./README\.md", f"]({up}index.md", markdown)
