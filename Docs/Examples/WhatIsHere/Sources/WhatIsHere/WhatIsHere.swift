import Foundation
import PortolanApp

/// Opens a package and prints what is at a point: `WhatIsHere FILE LONGITUDE LATITUDE`.
@main
struct WhatIsHere {
  @MainActor static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let longitude = Double(arguments[2]),
      let latitude = Double(arguments[3])
    else {
      print("Usage: WhatIsHere FILE LONGITUDE LATITUDE")
      exit(2)
    }
    let unpacked = FileManager.default.temporaryDirectory.appending(path: "what-is-here")
    let app = AppModel(opener: FilePackageOpener(unpackingInto: unpacked))
    do throws(Problem) {
      try await app.open(URL(filePath: arguments[1]))
      if let map = app.map { try await show(map, longitude, latitude) }
    } catch {
      print("\(error.message) \(error.suggestion ?? "")")
      exit(1)
    }
    await app.close()
  }

  /// Prints the features at a point, and the fields of the first.
  @MainActor private static func show(
    _ map: MapModel, _ longitude: Double, _ latitude: Double
  ) async throws(Problem) {
    await map.identify.identify(longitude: longitude, latitude: latitude)
    for page in map.popups.state.pages { print("\(page.layerTitle): \(page.title)") }
    guard !map.popups.state.pages.isEmpty else { return print("Nothing is here.") }
    try await map.popups.select(0)
    for element in map.popups.state.selection?.popup.elements ?? [] {
      guard case .fields(let fields) = element else { continue }
      for field in fields.values { print("  \(field.label): \(field.text)") }
    }
  }
}
