"""Brings the files of the repository that pages of the site link to into it, and says which links lead nowhere.

Run it after `mdbook build`. mdBook turns links to Markdown into links to pages of the site, also where a file lies outside
`docs/`; these are led back to the file, which is put into `site/repository/` as it is.
"""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "site"
LINK = re.compile(r'(href|src)="([^"#:]+)((?:#[^"]*)?)"')


def source_of(target):
    """The file of the repository that a link out of the site stands for, or None."""
    for path in (target, target.with_suffix(".md")):
        if path.is_relative_to(ROOT) and path.exists():
            return path
    return None


def led_back(page, found, missing):
    """The link as it has to be in `page`."""
    kind, link, anchor = found.groups()
    target = Path(os.path.normpath(page.parent / link))
    if link.startswith("/") or (target.is_relative_to(SITE) and target.exists()):
        return found.group(0)
    source = source_of(target)
    if source is None or source.is_dir():
        missing.append(f"{page.relative_to(SITE)}: {link}")
        return found.group(0)
    # Browsers show text, but save Markdown.
    name = source.relative_to(ROOT)
    copy = SITE / "repository" / (f"{name}.txt" if source.suffix == ".md" else name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, copy)
    return f'{kind}="{os.path.relpath(copy, page.parent)}{anchor if source.suffix != ".md" else ""}"'


def main():
    missing = []
    for page in sorted(SITE.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        page.write_text(LINK.sub(lambda found: led_back(page, found, missing), text), encoding="utf-8")
    for line in missing:
        print(f"leads nowhere: {line}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
