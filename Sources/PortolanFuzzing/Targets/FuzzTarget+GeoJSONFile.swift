internal import Foundation
internal import PortolanArchives
internal import PortolanConversion
internal import PortolanFeatures

extension FuzzTarget {
  /// A GeoJSON file becomes tables, all of whose rows are read.
  static let geoJSONFile = FuzzTarget(
    "geojson-file",
    words: FormatWords.json + FormatWords.shapes + [
      "\"features\":[", "\"properties\":", "\"crs\":", "\"name\":", "\u{1E}", "\n",
      "\"urn:ogc:def:crs:EPSG::3857\"", "\"2020-01-31T10:00:00Z\"",
    ], form: .bytes, texts: seeds
  ) { data in
    let file = try await GeoJSONFile.open(MemoryByteSource(data, name: "input"), stem: "input")
    for schema in try await file.schemas() {
      let rows = try await file.features(in: schema.name, matching: QueryParameters()).collect()
      let count = try await file.count(in: schema.name, matching: QueryParameters())
      try FuzzFinding.check(rows.count == count, "has other rows than it counted")
      let ids = rows.map(\.objectID)
      try FuzzFinding.check(
        Swift.zip(ids, ids.dropFirst()).allSatisfy(<), "has object ids that do not ascend")
    }
  }

  private static let seeds = [
    """
    {"type":"FeatureCollection","name":"n","crs":{"type":"name","properties":{"name":"EPSG:3857"}},
    "features":[{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1,2,3]},
    "properties":{"a":1,"b":"x\\"]}","c":null,"d":2.5,"e":true,"when":"2020-01-31"}},
    {"type":"Feature","id":7,"geometry":null,"properties":{"a":5000000000,"f":[1,{"g":2}]}}]}
    """,
    """
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,1],[2,3]]},"properties":{}}
    {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]},
    "properties":{"id":"{0F3C5A64-3C7C-4B52-9A1F-111111111111}"}}
    """,
    "\u{1E}{\"type\":\"MultiPoint\",\"coordinates\":[[1,2],[3,4]]}\n",
  ]
}
