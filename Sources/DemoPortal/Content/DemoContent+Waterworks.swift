internal import Foundation
internal import PortolanGeometry
internal import PortolanSample

extension DemoContent {
  /// *Naperville Water Company Mapbook*: an invented network.
  var mapbook: DemoItem {
    var item = item(
      "mapbook/naperville", NapervilleMapbook.title, "Mobile Map Package",
      box: NapervilleMapbook.extent)
    item.name = "\(NapervilleMapbook.name).mmpk"
    item.typeKeywords = ["ArcGIS Pro", "Map", "Mobile Map Package", "mmpk"]
    item.tags = ["Naperville", "water", "Offline Mapbook"]
    item.snippet = "Three maps of an invented water network."
    item.description = "<p>Mains, valves and hydrants, all of them invented.</p>"
    item.thumbnail = DemoPicture(name: "thumbnail.png") {
      try NapervilleMapbook.picture(width: 200, height: 133)
    }
    item.modified = Self.moment
    item.content = .file(
      DemoFile(name: "\(NapervilleMapbook.name).mmpk") { url, _ in
        try await NapervilleMapbook.write(to: url)
      })
    return item
  }
}
