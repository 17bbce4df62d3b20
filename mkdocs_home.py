"""A hook of mkdocs: the pages at the root of the project are part of the site, and README.md is its home page.

Links are made to fit. Those of a root page into docs/ lose the folder, those of a page in docs/ to a root page lose the
way up, and those to a source file, which are for readers of the repository, become plain text. In the API reference
"array-like" is written as it is: the documentation's tool reads it as a subtraction.
"""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parent
# The name of each root file on the site.
NAMES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CITATION.cff": "CITATION.cff",
    "LICENSE": "LICENSE",
}
SOURCE_LINK = re.compile(r"\[([^\]]+)\]\((?:\.\./)*(?:src|tests|benchmarks)/[^)]*\)")

ARRAY_LIKE = re.compile(r'<span title="array">array</span> - <span title="like">like</span>')


def on_files(files, config):
    for name, on_site in NAMES.items():
        files.append(File.generated(config, on_site, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, **_):
    markdown = SOURCE_LINK.sub(r"\1", markdown)
    if page.file.src_uri in NAMES.values():
        up = ""
        markdown = markdown.replace("](docs/", "](")
    else:
        up = "../" * (1 + page.file.src_uri.count("/"))
    for name, on_site in NAMES.items():
        markdown = re.sub(rf"\]\({re.escape(up + name)}(?=[)#])", f"]({up.removesuffix('../')}{on_site}", markdown)
    return markdown


def on_post_page(output, **_):
    return ARRAY_LIKE.sub("array-like", output)
