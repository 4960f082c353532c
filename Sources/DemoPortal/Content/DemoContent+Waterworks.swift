internal import Foundation
internal import PortolanGeometry

extension DemoContent {
  /// *Naperville Water Company Mapbook*: a network that nobody ever built.
  var mapbook: DemoItem {
    let box = Waterworks.box
    var item = item(
      "mapbook/naperville", "Naperville Water Company Mapbook", "Mobile Map Package", box: box)
    item.name = "naperville-water-company-mapbook.mmpk"
    item.typeKeywords = ["ArcGIS Pro", "Map", "Mobile Map Package", "mmpk"]
    item.tags = ["Naperville", "water", "Offline Mapbook"]
    item.snippet = "Three maps of an invented water network."
    item.description = "<p>Mains, valves and hydrants, all of them invented.</p>"
    item.modified = Self.moment
    let waterworks = Waterworks(id: identifiers)
    item.content = .file(
      DemoFile(name: "naperville-water-company-mapbook.mmpk") { url, _ in
        try await waterworks.writeArchive(to: url)
      })
    return item
  }
}
