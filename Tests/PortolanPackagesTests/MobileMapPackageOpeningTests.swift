import Foundation
import PortolanArchives
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanPackages

@Suite(.temporaryDirectory) struct MobileMapPackageOpeningTests {
  /// A folder with the files given by path.
  private func folder(_ files: [String: JSONValue]) throws -> URL {
    let root = temporaryDirectory.appending(path: "package")
    for (path, json) in files {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try json.encoded().write(to: url)
    }
    return root
  }

  private func open(_ url: URL, at now: Date = .distantPast) async throws -> MobileMapPackage {
    try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: now)
  }

  static let info: JSONObject = ["title": "T", "version": "3.2", "maps": ["m"]]
  static let map: JSONValue = [
    "map": ["version": "2.37", "operationalLayers": [], "baseMap": ["title": "B"]],
    "item": ["title": "Map"],
  ]

  private func info(_ changes: JSONObject) -> JSONValue {
    var info = Self.info
    for member in changes.members { info[member.name] = member.value }
    return .object(info)
  }

  @Test func `A package opens with its maps`() async throws {
    let package = try await open(folder(["package.info": info([:]), "p20/m.mmap": Self.map]))
    #expect(package.info.title == "T")
    #expect(package.maps.map(\.title) == ["Map"])
    #expect(package.warnings.isEmpty)
  }

  @Test func `Two maps of one name are two maps, and maps that nothing names are not hidden`()
    async throws
  {
    func map(_ title: String) -> JSONValue {
      [
        "map": ["operationalLayers": [], "baseMap": ["title": "B"]],
        "item": ["title": .string(title)],
      ]
    }
    let folder = try folder([
      "package.info": info(["maps": ["m", "m"]]), "p20/m.mmap": map("One"),
      "p20/other/m.mmap": map("Two"),
    ])
    let package = try await open(folder)
    #expect(package.maps.map(\.title) == ["One", "Two"])
    #expect(package.maps.map(\.name) == ["m", "m (2)"] && package.failures.isEmpty)
    try info(["maps": ["gone"]]).encoded().write(to: folder.appending(path: "package.info"))
    #expect(Set(try await open(folder).maps.map(\.title)) == ["One", "Two"])
  }

  @Test func `Files that macOS writes beside those of a package are none of it`() async throws {
    let folder = try folder([
      "town.info": info(["maps": []]), "p20/m.mmap": Self.map, "p20/town.loz": [:],
      "p20/area.marea": ["areaPortalItemID": "a"],
    ])
    for path in ["._town.info", "p20/._m.mmap", "p20/._town.loz", "p20/._area.marea"] {
      try Data([0, 5, 22, 7]).write(to: folder.appending(path: path))
    }
    let package = try await open(folder)
    #expect(package.info.title == "T")
    #expect(package.maps.map(\.title) == ["Map"] && package.failures.isEmpty)
    #expect(package.area?.areaItemID == "a")
    #expect(package.unreadableParts.map(\.path) == ["p20/town.loc"])
    #expect(try FolderSummary(url: folder).summary()?.title == "T")
  }

  @Test func `An archive that is no package is reported in terms of packages`() async throws {
    let url = temporaryDirectory.appending(path: "photos.mmpk")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("a.txt", Data("a".utf8))
    try writer.finish()
    await #expect(
      throws: PackageError.notAPackage(
        file: "photos.mmpk", reason: "it holds neither a map nor tiles")
    ) { try await open(url) }
  }

  @Test(arguments: [
    (
      #"{"type": "FeatureCollection", "features": []}"#,
      "it holds GeoJSON features and no map; converted to a GeoPackage it can be opened"
    ),
    (#"{"a": 1}"#, "This is not a web map: it has neither layers nor a basemap"),
  ])
  func `A document that is no map is named itself, and not its folder`(
    _ text: String, _ reason: String
  ) async throws {
    let url = temporaryDirectory.appending(path: "towns.geojson")
    try Data(text.utf8).write(to: url)
    await #expect(throws: PackageError.notAPackage(file: "towns.geojson", reason: reason)) {
      try await open(url)
    }
  }

  @Test(arguments: ["towns.shp", "towns.CSV", "towns.fgb"])
  func `Features without a map are said to be that, and how they can be opened`(
    _ name: String
  ) async throws {
    let url = temporaryDirectory.appending(path: name)
    try Data("name,x,y\n".utf8).write(to: url)
    let reason = "it holds features and no map; converted to a GeoPackage it can be opened"
    await #expect(throws: PackageError.notAPackage(file: name, reason: reason)) {
      try await open(url)
    }
  }

  static let expired = Date(timeIntervalSince1970: 2_000_000_000)

  @Test(
    arguments: [
      ["expiration": ["date": 1_900_000_000_000, "type": "preventAccess", "message": "Gone."]],
      ["expirationDate": "2030-03-17T17:46:40Z", "expirationType": "PreventAccessAfter"],
      ["Expires": 1_900_000_000, "expirationPolicy": "deny"],
    ] as [JSONObject])
  func `A package that may not be used any more does not open`(_ members: JSONObject) async throws {
    let folder = try folder(["package.info": info(members), "p20/m.mmap": Self.map])
    await #expect {
      _ = try await open(folder, at: Self.expired)
    } throws: { error in
      if case PackageError.expired = error { true } else { false }
    }
    #expect(try await open(folder, at: Date(timeIntervalSince1970: 1_800_000_000)).maps.count == 1)
  }

  @Test(
    arguments: [
      [
        "expiration": [
          "date": 1_900_000_000_000, "type": "allowAccess", "message": "Get a new one.",
        ]
      ],
      ["expirationDate": 1_900_000_000_000, "expirationMessage": "Get a new one."],
    ] as [JSONObject])
  func `A package that has expired opens with its message where that is allowed`(
    _ members: JSONObject
  ) async throws {
    let folder = try folder(["package.info": info(members), "p20/m.mmap": Self.map])
    let package = try await open(folder, at: Self.expired)
    #expect(package.warnings.count == 1)
    #expect(package.warnings.first?.contains("Get a new one.") == true)
  }

  @Test func `A package expires on the date that only a map of it names`() async throws {
    let map: JSONValue = [
      "map": ["version": "2.37", "operationalLayers": [], "baseMap": ["title": "B"]],
      "item": [
        "title": "Map", "expirationDate": 1_900_000_000, "expirationType": "preventAccess",
      ],
    ]
    let folder = try folder(["package.info": info([:]), "p20/m.mmap": map])
    let before = try await open(folder, at: Date(timeIntervalSince1970: 1_800_000_000))
    #expect(before.info.expiration?.date == Date(timeIntervalSince1970: 1_900_000_000))
    await #expect {
      _ = try await open(folder, at: Self.expired)
    } throws: { error in
      if case PackageError.expired = error { true } else { false }
    }
  }

  @Test func `A package of a version to come is refused`() async throws {
    let folder = try folder(["package.info": info(["version": "5.0"]), "p20/m.mmap": Self.map])
    await #expect(throws: PackageError.unsupportedVersion(file: "package", version: "5.0")) {
      _ = try await open(folder)
    }
  }

  @Test func `A package of any version that is known opens, by the document of its name`()
    async throws
  {
    let folder = try folder([
      "Another.info": info(["title": "Another"]), "p20/m.mmap": Self.map,
      "Package.Info": info(["title": "Mine", "version": "4.9"]),
    ])
    #expect(try await open(folder).info.title == "Mine")
  }

  @Test func `Where no map is named all are there that lie in the package`() async throws {
    let folder = try folder([
      "package.info": info(["maps": []]), "p20/b.mmap": Self.map, "p20/deep/a.MMAP": Self.map,
    ])
    #expect(try await open(folder).mapNames == ["b", "a"])
  }

  @Test func `Of several documents of one name the one nearest to the root is the map`()
    async throws
  {
    let other: JSONValue = ["map": Self.map["map"] ?? .null, "item": ["title": "Other"]]
    let folder = try folder([
      "package.info": info([:]), "a/copies/m.mmap": other, "p20/m.mmap": Self.map,
      "z/copies/m.mmap": other,
    ])
    #expect(try await open(folder).maps.map(\.title) == ["Map"])
  }

  @Test func `A package has expired from the very moment on`() {
    let expiration = PackageExpiration(date: Self.expired, policy: .preventAccess)
    #expect(expiration.isExpired(at: Self.expired))
    #expect(!expiration.isExpired(at: Self.expired.addingTimeInterval(-1)))
  }

  @Test func `A map that is missing or damaged does not hide the others`() async throws {
    let folder = try folder([
      "package.info": info(["maps": ["m", "gone", "broken"]]), "p20/m.mmap": Self.map,
      "p20/broken.mmap": [1, 2],
    ])
    let package = try await open(folder)
    #expect(package.mapNames == ["m", "gone", "broken"])
    #expect(package.maps.map(\.name) == ["m"])
    #expect(Set(package.failures.keys) == ["gone", "broken"])
  }

  @Test func `A description of a map's defect ends with one full stop`() async throws {
    let folder = try folder([
      "package.info": info(["maps": ["cut", "none", "list", "gone"]]), "p20/cut.mmap": Self.map,
      "p20/none.mmap": ["map": ["operationalLayers": 1]], "p20/list.mmap": [1, 2],
    ])
    try Data("{\"map\": ".utf8).write(to: folder.appending(path: "p20/cut.mmap"))
    let sentences = try await open(folder).failures.values.map(\.localizedDescription)
    #expect(sentences.count >= 3)
    for sentence in sentences {
      #expect(sentence.hasSuffix(".") && !sentence.hasSuffix(".."), "\(sentence)")
    }
  }

  @Test func `Locators and networks are named as unreadable`() async throws {
    let folder = try folder([
      "package.info": info([:]), "p20/m.mmap": Self.map, "p20/streets.loc": [:],
      "p20/streets.lox": [:], "p20/routes.tn/Streets_ND_adjacencies": [:],
    ])
    let package = try await open(folder)
    #expect(
      package.unreadableParts == [
        UnreadablePart(kind: .locator, path: "p20/streets.loc"),
        UnreadablePart(kind: .transportationNetwork, path: "p20/routes.tn"),
      ])
    #expect(package.warnings.count == 2)
  }

  @Test func `A layer whose data are missing says so, the map opens`() async throws {
    let map: JSONValue = [
      "map": [
        "version": "2.37", "baseMap": ["title": "B"],
        "operationalLayers": [
          ["id": "a", "layerType": "ArcGISFeatureLayer", "path": "file:./x.geodatabase?itemId=0"],
          ["id": "b", "layerType": "ArcGISFeatureLayer", "path": "file:../../../etc/passwd"],
          ["id": "c", "layerType": "BingMapsAerial"],
        ],
      ]
    ]
    let package = try await open(folder(["package.info": info([:]), "p20/m.mmap": map]))
    let opened = try #require(package.maps.first)
    for layer in opened.webMap.operationalLayers {
      #expect(await opened.contents.content(of: layer).problem != nil, "\(layer.id ?? "")")
    }
  }

  @Test func `An archive whose entries lead out of it is no danger`() async throws {
    let url = temporaryDirectory.appending(path: "evil.mmpk")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("package.info", info([:]).encoded())
    try writer.add("p20/m.mmap", Self.map.encoded())
    try writer.finish()
    var bytes = try Data(contentsOf: url)
    // The writer refuses such names, so they are put in afterwards, of the same length.
    for name in ["p20/m.mmap"] {
      while let range = bytes.range(of: Data(name.utf8)) {
        bytes.replaceSubrange(range, with: Data("../../mmap".utf8))
      }
    }
    try bytes.write(to: url)
    let package = try await open(url)
    #expect(package.maps.isEmpty)
    #expect(package.failures.keys.contains("m"))
  }

  @Test(arguments: ["", "not a package", "PK", "SQLite format 3\0"])
  func `A file that is no package is refused with a reason`(_ text: String) async throws {
    let url = temporaryDirectory.appending(path: "x.mmpk")
    try Data(text.utf8).write(to: url)
    await #expect(throws: PackageError.self) { _ = try await open(url) }
  }

  @Test func `A missing file is not found`() async {
    let url = temporaryDirectory.appending(path: "nothing.mmpk")
    await #expect(throws: PackageError.noSuchFile(url.path(percentEncoded: false))) {
      _ = try await open(url)
    }
  }
}
