import Foundation
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanTestSupport

/// A package with two maps and two data files, whose contents do not matter to the writer.
enum NewPackage {
  static let moment = Date(timeIntervalSince1970: 1_700_000_000)
  static let guid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  static let description = MobileMapPackageDescription(
    name: "Harbour & co", title: "Harbour", summary: "Piers <and> buoys", details: "<p>Long</p>",
    accessInformation: "Nobody", licenseInfo: "None", tags: ["sea", "piers"], guid: guid,
    created: moment, extent: Envelope(xMin: -70.5, yMin: 43, xMax: -70, yMax: 44),
    thumbnail: Data([0x89, 0x50, 0x4E, 0x47]),
    expiration: PackageExpiration(
      date: moment.addingTimeInterval(86_400), message: "Ask for a new one.",
      policy: .preventAccess))

  static func map(_ name: String, path: String) -> NewMobileMap {
    var layer = Layer(.feature, id: "piers", title: "Piers")
    layer.path = PackagePath(parsing: path)
    var map = WebMap(basemap: Basemap(title: "None"))
    map.operationalLayers = [layer]
    return NewMobileMap(
      name: name, title: "Map of \(name)", id: guid, extent: description.extent, webMap: map)
  }

  static func writer() throws -> MobileMapPackageWriter {
    let files = ["data.geodatabase", "tiles.tpkx"].map { temporaryDirectory.appending(path: $0) }
    for file in files { try Data(file.lastPathComponent.utf8).write(to: file) }
    return MobileMapPackageWriter(
      description,
      maps: [
        map("north", path: "file:./data.geodatabase?itemId=0"),
        map("south", path: "file:./data.geodatabase?itemId=1"),
      ],
      files: files)
  }
}
