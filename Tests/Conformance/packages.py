"""Esri's own client uploads a package that Portolan takes offline, and downloads one that Portolan
shared.

    PORTOLAN=.build/debug/portolan python packages.py https://localhost:7443
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import urllib.parse

import urllib3
from arcgis.gis import GIS, ItemProperties, ItemTypeEnum

urllib3.disable_warnings()

# The worked example of packages, which every demo portal has.
EXAMPLE = "Naperville Water Company Mapbook"
UPLOADED = "Waterworks Uploaded by Esri's Client"
SHARED = "Waterworks Shared by Portolan"


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Packages:
    """The checks, each a method whose name says what it proves."""

    def __init__(self, portal):
        self.portal = portal
        self.gis = GIS(portal, "demo", "demo", verify_cert=False)
        self.home = tempfile.mkdtemp(dir=".")
        self.portolan("settings", "set", "any-certificate-hosts", urllib.parse.urlsplit(portal).hostname)
        self.portolan("sign-in", "--user", "demo")

    def portolan(self, *words):
        """What Portolan writes when it is given a command."""
        command = [os.environ["PORTOLAN"], "--home", self.home, "--portal", self.portal, *words]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=240,
            env=dict(os.environ, PORTOLAN_PASSWORD="demo"))
        assert done.returncode == 0, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def item(self, title):
        items = self.gis.content.search(
            f'title:"{title}"', item_type="Mobile Map Package", max_items=100)
        return next(item for item in items if item.title == title)

    def portolan_opens_what_esri_uploaded(self):
        package = self.item(EXAMPLE).download(".", file_name="uploaded.mmpk")
        properties = ItemProperties(
            title=UPLOADED, item_type=ItemTypeEnum.MOBILE_MAP_PACKAGE, tags=["water"])
        item = self.gis.content.folders.get().add(properties, file=package).result()
        assert item.type == "Mobile Map Package", item.type
        assert item.id in self.portolan("search", UPLOADED)
        assert "on this device" in self.portolan("download", item.id, "--wait")
        found = self.portolan("--offline", "find", "1223 Oak Avenue", "--map", item.id)
        assert "1223 Oak Avenue" in found, found
        exported = os.path.join(self.home, "exported.mmpk")
        self.portolan("--offline", "export", item.id, exported)
        assert digest(exported) == digest(package)
        assert item.delete()

    def esri_downloads_what_portolan_shared(self):
        package = os.path.abspath("uploaded.mmpk")
        self.portolan(
            "share", package, "--title", SHARED, "--tags", "water,pipes", "--access", "public")
        item = self.item(SHARED)
        assert item.access == "public" and sorted(item.tags) == ["pipes", "water"], item
        assert item.size == os.path.getsize(package), item.size
        path = item.download(".", file_name="shared.mmpk")
        assert digest(path) == digest(package)
        assert item.delete()


CHECKS = ["portolan_opens_what_esri_uploaded", "esri_downloads_what_portolan_shared"]


def main():
    checks = Packages(sys.argv[1].rstrip("/"))
    for name in CHECKS:
        getattr(checks, name)()
        print(f"ok {name}", flush=True)


if __name__ == "__main__":
    main()
