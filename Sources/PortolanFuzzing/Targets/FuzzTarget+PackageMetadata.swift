internal import Foundation
internal import PortolanJSON
internal import PortolanPackages

extension FuzzTarget {
  /// The documents that describe a package are read from one object.
  static let packageMetadata = FuzzTarget(
    "package-metadata", words: FormatWords.json + ["\"expirationDate\"", "\"extent\"", "data:,"],
    form: .json,
    texts: [
      """
      {"name":"Explore","title":"Explore Maine","version":"2.1","tags":["a","b"],"created":1.5e12,
      "modified":"1500000000000","extent":[[-71,43],[-66.9,47.5]],"maps":["a.mmap",{"path":"p/b.mmap"}],
      "thumbnail":"data:image/png;base64,AAEC","expiration":{"expirationDate":"2030-01-01T00:00:00Z",
      "message":"Over","type":"PreventExpiredAccess"}}
      """,
      """
      {"id":"0a1b","guid":"x","originalPortalItemId":"y","portalUrl":"https://x.example",
      "expires":1900000000,"thumbnail":"AAEC"}
      """,
      """
      {"areaPortalItemID":"a","portalUrl":"https://x.example","packageRefreshSchedule":"weekly",
      "packages":[{"itemType":"SQLite Geodatabase","path":"x.geodatabase","currentServerGen":12,
      "packagePortalItemID":"b","originalReplicaID":"{C}","preplannedUpdateMode":"syncWithFeatureServices"}]}
      """,
    ]
  ) { data in
    guard let object = try JSONValue(parsing: data).object else { return }
    let info = PackageInfo(json: object, fallbackName: "package")
    _ = (info.majorVersion, info.expiration?.isExpired(at: Date(timeIntervalSince1970: 0)))
    _ = MobileMapItem(json: object, fallbackTitle: "map")
    _ = PreplannedAreaRecord(json: object)
  }
}
