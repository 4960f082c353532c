"""Esri's own client finds, reads and changes what stands on a demo portal.

    python content.py https://localhost:7443
"""

import sqlite3
import sys
import zipfile

import urllib3
from arcgis.gis import GIS, ItemProperties, ItemTypeEnum
from arcgis.map import Map

urllib3.disable_warnings()


class Content:
    """The checks, each a method whose name says what it proves."""

    def __init__(self, portal):
        self.portal = portal
        self.gis = GIS(portal, "demo", "demo", verify_cert=False)

    def found(self, title, kind):
        items = self.gis.content.search(title, item_type=kind, max_items=100)
        return next(item for item in items if item.title == title)

    def explore_maine(self):
        return self.found("Explore Maine", "Web Map")

    def search_pages(self):
        books = self.gis.content.search(
            "mapbook", item_type="Mobile Map Package", max_items=100, sort_field="title",
            sort_order="asc",
        )
        assert len(books) > 40 and len({book.id for book in books}) == len(books)
        titles = [book.title.lower() for book in books]
        assert titles == sorted(titles)
        assert not self.gis.content.search("title:nothing of that name")

    def counts(self):
        found = self.gis.content.advanced_search(
            'type:"Web Map"', max_items=1, count_fields="type, access", as_dict=True
        )
        assert found["counts"][0]["fieldValues"][0]["value"] == "web map", found

    def groups(self):
        group = self.gis.groups.search("title:Field")[0]
        assert group.title == "Field Crew"

    def item_and_data(self):
        item = self.explore_maine()
        assert item.access == "public" and "Offline Map Areas" in item.typeKeywords
        data = item.get_data()
        assert len(data["operationalLayers"]) > 4
        assert self.gis.content.get("0" * 32) is None

    def thumbnail(self):
        path = self.explore_maine().download_thumbnail(".")
        with open(path, "rb") as file:
            assert file.read(4) == b"\x89PNG"

    def mobile_map_package(self):
        path = self.found("Naperville Water Company Mapbook", "Mobile Map Package").download(".")
        assert path.endswith("naperville-water-company-mapbook.mmpk")
        with zipfile.ZipFile(path) as package:
            maps = [name for name in package.namelist() if name.endswith(".mmap")]
        assert len(maps) == 3, maps

    def areas_and_packages(self):
        areas = self.explore_maine().related_items("Map2Area", "forward")
        states = sorted(area.properties["status"] for area in areas)
        assert states == ["complete"] * 3 + ["failed", "processing"], states
        area = next(area for area in areas if area.title == "Casco Bay")
        assert area.related_items("Map2Area", "reverse")[0].title == "Explore Maine"
        packages = area.related_items("Area2Package", "forward")
        kinds = sorted(package.type for package in packages)
        assert kinds == ["Compact Tile Package", "SQLite Geodatabase"], kinds
        for package in packages:
            path = package.download(".")
            if path.endswith(".geodatabase"):
                count = sqlite3.connect(path).execute("select count(*) from Towns").fetchone()
                assert count[0] > 0
            else:
                assert zipfile.is_zipfile(path)

    def resources(self):
        area = self.explore_maine().related_items("Map2Area", "forward")[0]
        name = area.resources.list()[0]["resource"]
        assert len(area.resources.get(name)["polygon"]["rings"][0]) == 5

    def offline_areas(self):
        item = self.explore_maine()
        areas = Map(item=item).offline_areas.list()
        titles = {area.title for area in areas}
        assert {"Casco Bay", "Acadia", "Katahdin"} <= titles, titles

    def making_an_area(self):
        item = self.explore_maine()
        areas = Map(item=item).offline_areas
        before = len(areas.list())
        area = areas.create(
            area={
                "xmin": -70.4, "ymin": 43.5, "xmax": -70.1, "ymax": 43.8,
                "spatialReference": {"wkid": 4326},
            },
            item_properties={"title": "Portland", "snippet": "By the sea", "tags": "x"},
        )
        made = self.gis.content.get(area.id)
        assert made.title == "Portland" and made.type == "Map Area", made
        packages = made.related_items("Area2Package", "forward")
        assert any(package.type == "SQLite Geodatabase" for package in packages), packages
        assert len(areas.list()) == before + 1
        assert areas.update([made]) is not None
        for package in packages:
            assert package.delete()
        assert made.delete()

    def adding_and_changing(self):
        with open("notes.csv", "w") as file:
            file.write("place,note\nBangor,calm\n")
        properties = ItemProperties(title="Up", item_type=ItemTypeEnum.CSV, tags=["x"])
        item = self.gis.content.folders.get().add(properties, file="notes.csv").result()
        item.update(item_properties={"title": "Upper", "snippet": "Above"})
        item.sharing.sharing_level = "EVERYONE"
        again = self.gis.content.get(item.id)
        assert (again.title, again.snippet, again.access) == ("Upper", "Above", "public")
        with open(again.get_data()) as file:
            assert "Bangor" in file.read()
        assert again.delete()
        assert self.gis.content.get(item.id) is None

    def folders(self):
        folders = self.gis.content.folders
        folder = folders.create("Surveys")
        properties = ItemProperties(title="Kept", item_type=ItemTypeEnum.WEB_MAP, tags=["x"])
        item = folder.add(properties, text="{}").result()
        assert item.ownerFolder == folder.properties["id"], item.ownerFolder
        assert [kept.id for kept in folder.list()] == [item.id]
        assert folder.rename("Old surveys")
        assert "Old surveys" in [other.name for other in folders.list()]
        # A title would do as well, but for the root this version of the package sends "Root Folder".
        assert item.move(folders.get())["success"] and item.ownerFolder is None
        assert list(folder.list()) == [] and folder.delete()

    def protecting_and_copying(self):
        properties = ItemProperties(title="Original", item_type=ItemTypeEnum.WEB_MAP, tags=["x"])
        item = self.gis.content.folders.get().add(properties, text='{"a": 1}').result()
        assert item.protect()["success"]
        item = self.gis.content.get(item.id)
        assert item.protected
        try:
            assert not item.delete()
        except Exception as error:
            assert "protection" in str(error), error
        copy = item.copy_item(title="The copy")
        assert copy.id != item.id and copy.get_data() == {"a": 1}
        copy.sharing.sharing_level = "EVERYONE"
        assert copy.reassign_to("viewer")
        assert self.gis.content.get(copy.id).owner == "viewer"
        assert item.protect(enable=False)["success"] and item.delete()

    def people(self):
        found = {user.username for user in self.gis.users.search("viewer")}
        assert "viewer" in found, found
        group = self.gis.groups.search("title:Field")[0]
        members = group.get_members()
        assert members["owner"] and "users" in members, members

    def private_items(self):
        notes = self.found("Notes of the survey", "CSV")
        viewer = GIS(self.portal, "viewer", "viewer", verify_cert=False)
        try:
            seen = viewer.content.get(notes.id)
        except Exception as error:
            assert "permissions" in str(error), error
        else:
            assert seen is None


CHECKS = [
    "search_pages", "counts", "groups", "item_and_data", "thumbnail", "mobile_map_package",
    "areas_and_packages", "resources", "offline_areas", "making_an_area",
    "adding_and_changing", "folders", "protecting_and_copying", "people", "private_items",
]


def main():
    checks = Content(sys.argv[1].rstrip("/"))
    for name in CHECKS:
        getattr(checks, name)()
        print(f"ok {name}", flush=True)


if __name__ == "__main__":
    main()
