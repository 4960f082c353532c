"""Esri's own client against the hosted services of a demo portal.

    python services.py https://localhost:7443

Signs in as demo/demo, tries each kind of service, and ends with status 1 at the first answer
that the client does not take for what it should be.
"""

import json
import os
import sqlite3
import sys
import tempfile
import zipfile
from datetime import datetime

import urllib3
from arcgis.features import FeatureLayer, FeatureLayerCollection
from arcgis.geocoding import Geocoder, batch_geocode, geocode, reverse_geocode, suggest
from arcgis.gis import GIS
from arcgis.layers import MapImageLayer, VectorTileLayer

urllib3.disable_warnings()

BOX = {
    "xmin": -7900000, "ymin": 5300000, "xmax": -7500000, "ymax": 5600000,
    "spatialReference": {"wkid": 102100, "latestWkid": 3857},
}


class Services:
    """The checks, each a method whose name says what it proves."""

    def __init__(self, portal):
        self.gis = GIS(portal, "demo", "demo", verify_cert=False)
        self.root = f"{portal}/arcgis/rest/services"

    def layer(self, service, number):
        return FeatureLayer(f"{self.root}/{service}/FeatureServer/{number}", gis=self.gis)

    def maine(self):
        return FeatureLayerCollection(f"{self.root}/ExploreMaine/FeatureServer", gis=self.gis)

    def queries_with_pages(self):
        towns = self.layer("ExploreMaine", 0)
        everything = towns.query(where="1=1", out_fields="*")
        assert len(everything.features) == 35, len(everything.features)
        assert everything.spatial_reference["wkid"] == 102100
        paged = towns.query(
            where="1=1", result_offset=20, result_record_count=10, return_all_records=False
        )
        assert [f.attributes["OBJECTID"] for f in paged.features] == list(range(21, 31))
        assert towns.query(where="KIND = 'city'", return_count_only=True) > 0
        assert towns.query(return_ids_only=True)["objectIds"] == list(range(1, 36))
        large = towns.query(where="POPULATION > 20000", out_sr=4326).features
        assert large and all(f.attributes["POPULATION"] > 20000 for f in large)
        assert all(-72 < f.geometry["x"] < -66 for f in large)

    def queries_without_pages(self):
        depths = self.layer("SoundingsOld", 0)
        assert not depths.properties.advancedQueryCapabilities.supportsPagination
        everything = depths.query(where="1=1", out_fields="*")
        ids = sorted(f.attributes["OBJECTID"] for f in everything.features)
        assert ids == list(range(1, 1201)), len(ids)

    def edits_and_attachments(self):
        lights = self.layer("ExploreMaine", 1)
        added = lights.edit_features(
            adds=[{"attributes": {"NAME": "Conformance"}, "geometry": {"x": -7600000, "y": 5500000}}]
        )["addResults"][0]
        assert added["success"], added
        oid = added["objectId"]
        changed = lights.edit_features(
            updates=[{"attributes": {"OBJECTID": oid, "NAME": "Renamed"}}]
        )
        assert changed["updateResults"][0]["success"], changed
        with tempfile.TemporaryDirectory() as folder:
            note = os.path.join(folder, "note.txt")
            with open(note, "w") as file:
                file.write("a note")
            assert lights.attachments.add(oid, note)["addAttachmentResult"]["success"]
            listed = lights.attachments.get_list(oid)
            assert [a["name"] for a in listed] == ["note.txt"], listed
            os.remove(note)
            path = lights.attachments.download(oid, listed[0]["id"], save_path=folder)[0]
            with open(path) as file:
                assert file.read() == "a note"
        found = lights.attachments.search(object_ids=[oid])
        assert len(found) == 1, found
        removed = lights.attachments.delete(oid, listed[0]["id"])
        assert removed["deleteAttachmentResults"][0]["success"], removed
        deleted = lights.edit_features(deletes=str(oid))
        assert deleted["deleteResults"][0]["success"], deleted

    def related_records(self):
        lights = self.layer("ExploreMaine", 1)
        related = lights.query_related_records(
            object_ids="1,2,3,4,5,6,7,8", relationship_id="0", out_fields="*"
        )
        assert related["relatedRecordGroups"], related

    def replicas(self):
        maine = self.maine()
        created = maine.replicas.create(
            replica_name="conformance", layers=[0, 1], sync_model="perLayer",
            geometry_filter={"geometry": BOX, "geometryType": "esriGeometryEnvelope"},
            return_attachments=True, attachments_sync_direction="bidirectional",
            asynchronous=True, data_format="sqlite", wait=True,
            out_path=tempfile.mkdtemp(),
        )
        path = created["download_url"]
        with sqlite3.connect(path) as database:
            tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
            assert {"Towns", "Lighthouses", "GDB_Items", "GDB_ServiceItems"} <= tables, tables
        replica = created["replicaID"]
        assert replica in [r["replicaID"] for r in maine.replicas.get_list()]
        assert maine.replicas.get(replica)["syncModel"] == "perLayer"
        self.synchronizes(maine, replica, created["layerServerGens"])
        assert maine.replicas.unregister(replica)["success"]
        assert replica not in [r["replicaID"] for r in maine.replicas.get_list()]

    def synchronizes(self, maine, replica, generations):
        adds = [{
            "attributes": {"NAME": "Synced", "GlobalID": "{AAAAAAAA-0000-4000-8000-000000000001}"},
            "geometry": {"x": -7600000, "y": 5500000},
        }]
        layers = [{"id": g["id"], "serverGen": g["serverGen"]} for g in generations]
        answer = maine.replicas.synchronize(
            replica_id=replica, sync_layers=layers, sync_direction="bidirectional",
            edits=[{"id": 0, "features": {"adds": adds, "updates": [], "deletes": []}}],
            transport_type="esriTransportTypeEmbedded",
        )
        assert answer["responseType"] == "esriReplicaResponseTypeEdits", answer
        assert answer["edits"][0]["addResults"][0]["success"], answer
        layers = [{"id": g["id"], "serverGen": g["serverGen"]} for g in answer["layerServerGens"]]
        again = maine.replicas.synchronize(
            replica_id=replica, sync_layers=layers, sync_direction="download",
            transport_type="esriTransportTypeEmbedded",
        )
        assert again["responseType"] == "esriReplicaResponseTypeNoEdits", again

    def changes(self):
        maine = self.maine()
        found = maine.extract_changes(layers=[0], layer_servergen=[{"id": 0, "serverGen": 1}])
        assert found["responseType"] == "esriDataChangesResponseTypeEdits", found
        assert found["edits"][0]["id"] == 0

    def exports_tiles(self):
        tiles = MapImageLayer(f"{self.root}/MaineBackdrop/MapServer", gis=self.gis)
        box = ",".join(str(BOX[k]) for k in ("xmin", "ymin", "xmax", "ymax"))
        size = tiles.estimate_export_tiles_size(
            export_by="levelId", levels="5-6", export_extent=box, asynchronous=False
        )
        assert size["totalTilesToExport"] > 0, size
        files = tiles.export_tiles(
            levels="5-6", export_extent=box, storage_format="esriMapCacheStorageModeCompactV2"
        )
        with zipfile.ZipFile(files[0]) as package:
            assert "root.json" in package.namelist(), package.namelist()

    def exports_vector_tiles(self):
        tiles = VectorTileLayer(f"{self.root}/MaineVector/VectorTileServer", gis=self.gis)
        assert tiles.styles["version"] == 8
        assert tiles.tile_map["index"]
        files = tiles.export_tiles(levels="0-7")
        with zipfile.ZipFile(files[0]) as package:
            assert "p12/root.json" in package.namelist()
            root = json.loads(package.read("p12/root.json"))
            assert root["type"] == "indexedVector"

    def names_places(self):
        locator = Geocoder(f"{self.root}/MaineLocator/GeocodeServer", gis=self.gis)
        suggestions = suggest("portland h", geocoder=locator)["suggestions"]
        first = suggestions[0]
        found = geocode(first["text"], magic_key=first["magicKey"], geocoder=locator)
        assert found[0]["address"].startswith("Portland Head"), found
        place = reverse_geocode([-70.2079, 43.6231], geocoder=locator)
        assert place["address"]["PlaceName"] == "Portland Head Light", place
        many = batch_geocode(["Bangor", "Nowhere at all"], geocoder=locator)
        by_id = {found["attributes"]["ResultID"]: found for found in many}
        assert by_id[0]["address"].startswith("Bangor"), many
        assert by_id[1]["attributes"]["Status"] == "U", many

    def tops_and_percentiles(self):
        towns = self.layer("ExploreMaine", 0)
        top = towns.query_top_features(
            top_filter={"groupByFields": "KIND", "topCount": 2, "orderByFields": "POPULATION DESC"},
            where="1=1", out_fields="*", as_df=False,
        ).features
        kinds = [f.attributes["KIND"] for f in top]
        assert top and all(kinds.count(kind) <= 2 for kind in kinds), kinds
        every = towns.query(where="1=1", out_fields="*").features
        largest = max(f.attributes["POPULATION"] or 0 for f in every)
        assert largest in [f.attributes["POPULATION"] for f in top]
        found = towns.query(where="1=1", out_statistics=[{
            "statisticType": "PERCENTILE_DISC", "onStatisticField": "POPULATION",
            "outStatisticFieldName": "most", "statisticParameters": {"value": 1},
        }])
        assert found.features[0].attributes["most"] == largest, found.features

    def several_layers_at_once(self):
        found = self.maine().query(
            layer_defs_filter={"0": "KIND = 'city'", "1": "1=1"}, return_geometry=False
        )
        answers = found["layers"] if isinstance(found, dict) else found
        assert [answer["id"] for answer in answers] == [0, 1], found

    def layer_with_time(self):
        depths = self.layer("Soundings", 0)
        every = depths.query(return_count_only=True)
        first = depths.properties.timeInfo.timeExtent[0] / 1000
        depths.time_filter = datetime.fromtimestamp(first)
        assert depths.query(return_count_only=True) == 1 < every

    def two_products(self):
        for product in ("enterprise", "online"):
            root = self.root.replace("/arcgis/", f"/{product}/")
            lights = FeatureLayer(f"{root}/ExploreMaine/FeatureServer/1", gis=self.gis)
            count = lights.query(return_count_only=True)
            added = lights.edit_features(
                adds=[{"attributes": {"NAME": product}, "geometry": {"x": -7600000, "y": 5500000}}]
            )["addResults"][0]
            assert added["success"] and added["objectId"] > 0, added
            assert lights.query(return_count_only=True) == count + 1
            refused = lights.edit_features(
                updates=[{"attributes": {"OBJECTID": 987654, "NAME": "None"}}]
            )["updateResults"][0]
            # A refusal says which feature it is about.
            assert not refused["success"] and refused["objectId"] == 987654, refused
            assert lights.edit_features(deletes=str(added["objectId"]))["deleteResults"][0]["success"]

    def legend(self):
        layer = MapImageLayer(f"{self.root}/ExploreMaine/MapServer", gis=self.gis)
        assert layer.legend["layers"][1]["legend"], layer.legend

    def finds_texts(self):
        layer = MapImageLayer(f"{self.root}/ExploreMaine/MapServer", gis=self.gis)
        found = layer.find("portland head", layers="0,1", search_fields="NAME", sr="4326")
        names = [result["value"] for result in found["results"]]
        assert "Portland Head Light" in names, found
        assert not layer.find("portland head", layers="1", contains=False)["results"]

    def cases_in_conditions(self):
        lights = FeatureLayer(f"{self.root}/ExploreMaine/FeatureServer/1", gis=self.gis)
        where = "CASE WHEN NAME LIKE 'Portland%' THEN 1 ELSE 0 END = 1"
        found = lights.query(where=where, out_fields="NAME").features
        assert found and all(f.attributes["NAME"].startswith("Portland") for f in found), found


CHECKS = [
    "queries_with_pages", "queries_without_pages", "edits_and_attachments", "related_records",
    "replicas", "changes", "exports_tiles", "exports_vector_tiles", "names_places", "legend",
    "finds_texts", "cases_in_conditions",
    "tops_and_percentiles", "several_layers_at_once", "layer_with_time", "two_products",
]


def main():
    services = Services(sys.argv[1].rstrip("/"))
    for name in CHECKS:
        getattr(services, name)()
        print(f"ok {name}", flush=True)


if __name__ == "__main__":
    main()
