"""Random scripts of three clients of one service: two homes of Portolan, and Esri's own client.

    PORTOLAN=.build/debug/portolan python three_clients.py https://localhost:7443

In each script the homes edit without a network and synchronize, some of their processes are killed
meanwhile, and Esri's client edits the service. In the end, as SQLite reads the homes and Esri's client
the service, all have the same, and no feature that was added is lost or doubled.
PORTOLAN_SYNC_SCRIPTS says how many scripts; 1 unless set. PORTOLAN_SYNC_SEED says with which to begin.
"""

import glob
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse

import urllib3
from arcgis.features import FeatureLayer
from arcgis.gis import GIS

urllib3.disable_warnings()

TITLE = "Shared"
LAYER = "Lighthouses"
AREA = "-70.6,43.4,-69.9,43.9"
STEPS = 12


class Home:
    """A home of Portolan, and what was done in it."""

    def __init__(self, portal, name, web_map):
        self.portal = portal
        self.name = name
        self.folder = tempfile.mkdtemp(dir=".")
        self.must("settings", "set", "any-certificate-hosts", urllib.parse.urlsplit(portal).hostname)
        self.must("sign-in", "--user", "demo")
        self.must("take-offline", web_map, AREA, "--no-basemap", "--title", TITLE,
                  allowed=(0, 3))
        found = glob.glob(f"{self.folder}/maps/*/*/**/*.geodatabase", recursive=True)
        self.file = next(
            file for file in found
            if sqlite3.connect(file).execute(
                "select 1 from sqlite_schema where name = ?", (LAYER,)).fetchone())

    def start(self, *words):
        command = [os.environ["PORTOLAN"], "--home", self.folder, "--portal", self.portal, *words]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, PORTOLAN_PASSWORD="demo"))

    def must(self, *words, allowed=(0,)):
        """What Portolan writes when it is given a command that it must carry out."""
        process = self.start(*words)
        out, notes = process.communicate(timeout=240)
        assert process.returncode in allowed, (words, process.returncode, out, notes)
        return out

    def killed(self, delay, *words):
        """Starts a command and kills it, unless it is over by then."""
        process = self.start(*words)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.communicate()

    def rows(self):
        """The current features: object id and name, by global id."""
        with sqlite3.connect(self.file) as database:
            found = database.execute(
                f"select GlobalID, OBJECTID, NAME from {LAYER} where gdb_to_date > 5373484")
            return {key(row[0]): (row[1], row[2]) for row in found}

    def names(self):
        return {row: name for row, (_, name) in self.rows().items()}

    def sync(self):
        # 3 while there are conflicts.
        self.must("sync", TITLE, allowed=(0, 3))

    def conflicts(self):
        document = json.loads(self.must("conflicts", TITLE, "--json"))
        return [conflict["number"] for conflict in document["conflicts"]]


def key(global_id):
    return global_id.strip("{}").upper()


class Script:
    """One script, all of which follows from its number but for the moments of kills."""

    def __init__(self, number, portal, gis, web_map):
        self.number = number
        self.chance = random.Random(number)
        self.lights = FeatureLayer(
            f"{portal}/arcgis/rest/services/ExploreMaine/FeatureServer/1", gis=gis)
        self.homes = [Home(portal, name, web_map) for name in ("first", "second")]
        self.added = []

    def there(self):
        found = self.lights.query(where="1=1", out_fields="*", return_geometry=False).features
        return {key(row.attributes["GlobalID"]): row.attributes for row in found}

    def run(self):
        for step in range(STEPS):
            home = self.chance.choice(self.homes)
            mark = f"{self.number}-{step}"
            act = self.chance.randrange(8)
            if act == 0:
                self.add(home, mark)
            elif act in (1, 2):
                object_id = self.chance.choice(sorted(home.rows().values())[:6])[0]
                home.must("edit", "set", LAYER, str(object_id), f"NAME={mark}", "--map", TITLE)
            elif act == 3:
                self.remove(home)
            elif act == 4:
                self.edit_there(home, mark)
            elif act == 5:
                home.killed(self.chance.uniform(0, 1.5), "sync", TITLE)
            else:
                home.sync()
        self.settle()
        self.compare()

    def add(self, home, mark):
        before = set(home.rows())
        home.must("edit", "add", LAYER, "--at", "-70.2,43.6", f"NAME=added {mark}", "--map", TITLE)
        self.added += set(home.rows()) - before

    def remove(self, home):
        """Removes the last of the features that were there from the beginning."""
        rows = {row: place for row, place in home.rows().items() if row not in self.added}
        if len(rows) > 6:
            object_id = max(rows.values())[0]
            home.must("edit", "remove", LAYER, str(object_id), "--map", TITLE)

    def edit_there(self, home, mark):
        """Esri's client renames a feature that the homes have too."""
        rows = self.there()
        global_id = self.chance.choice(sorted(set(rows) & set(home.rows())))
        done = self.lights.edit_features(
            updates=[{"attributes": {"OBJECTID": rows[global_id]["OBJECTID"], "NAME": mark}}])
        assert done["updateResults"][0]["success"], done

    def settle(self):
        """Synchronizes and decides until nothing is left to be decided on."""
        for _ in range(8):
            before = [home.names() for home in self.homes]
            is_settled = True
            for home in self.homes:
                home.sync()
                while numbers := home.conflicts():
                    is_settled = False
                    side = self.chance.choice(["--mine", "--theirs"])
                    home.must("conflicts", "resolve", str(numbers[0]), side, "--map", TITLE)
            if is_settled and before == [home.names() for home in self.homes]:
                return
        raise AssertionError("the homes do not come to rest")

    def compare(self):
        there = {row: values["NAME"] for row, values in self.there().items()}
        first, second = (home.names() for home in self.homes)
        assert first == second, set(first.items()) ^ set(second.items())
        different = {row: (name, there.get(row)) for row, name in first.items()
                     if there.get(row) != name}
        assert not different, different
        for global_id in self.added:
            assert global_id in there, f"{global_id} was added and is lost"
        marks = [name for name in there.values() if name and name.startswith(f"added {self.number}-")]
        assert len(marks) == len(set(marks)), f"doubled: {marks}"


def main():
    portal = sys.argv[1]
    gis = GIS(portal, "demo", "demo", verify_cert=False)
    maps = gis.content.search("Explore Maine", item_type="Web Map", max_items=100)
    web_map = next(item for item in maps if item.title == "Explore Maine").id
    first = int(os.environ.get("PORTOLAN_SYNC_SEED", "1"))
    count = int(os.environ.get("PORTOLAN_SYNC_SCRIPTS", "1"))
    for number in range(first, first + count):
        try:
            Script(number, portal, gis, web_map).run()
        except Exception:
            print(f"failed: script {number}")
            raise
    print(f"ok: {count} scripts of three clients")


main()
