internal import Foundation
internal import PortolanJSON

/// The changes that a request makes to an item.
///
/// Members that it does not name stay; an empty value clears only with `clearEmptyFields=true`.
struct ItemChange: Sendable {
  private let parameters: DemoParameters
  private let file: DemoPart?
  private let thumbnail: DemoPart?

  init(_ request: DemoRequest) {
    parameters = request.parameters
    let pictures: Set<String> = ["thumbnail", "largethumbnail", "metadata"]
    thumbnail = request.parts.first { $0.name.lowercased() == "thumbnail" }
    file = request.parts.first { !pictures.contains($0.name.lowercased()) }
  }

  func apply(to item: inout DemoItem) throws(DemoFailure) {
    if let title = parameters["title"] { item.title = title }
    if let type = parameters["type"] { item.type = type }
    if let url = parameters["url"] { item.url = url }
    if let tags = list("tags") { item.tags = tags }
    if let keywords = list("typeKeywords") { item.typeKeywords = keywords }
    change(&item.snippet, "snippet")
    change(&item.description, "description")
    change(&item.accessInformation, "accessInformation")
    change(&item.licenseInfo, "licenseInfo")
    try changeExtent(&item)
    if let properties = try parameters.json("properties") { item.properties = properties }
    if let thumbnail {
      item.thumbnail = DemoPicture(name: "thumbnail.png") { thumbnail.body }
    }
    changeContent(&item)
  }

  private var clears: Bool { parameters.bool("clearEmptyFields") == true }

  private func change(_ text: inout String?, _ name: String) {
    if let value = parameters[name] {
      text = value
    } else if clears, parameters.raw(name) != nil {
      text = nil
    }
  }

  private func list(_ name: String) -> [String]? {
    if parameters[name] != nil { return parameters.list(name) }
    return clears && parameters.raw(name) != nil ? [] : nil
  }

  private func changeContent(_ item: inout DemoItem) {
    if let file {
      item.content = .bytes(file.body)
      item.name = file.fileName
    } else if let text = parameters["text"] {
      item.content = .document(text)
    }
  }

  /// Either `xmin,ymin,xmax,ymax` or `[[xmin,ymin],[xmax,ymax]]`.
  private func changeExtent(_ item: inout DemoItem) throws(DemoFailure) {
    guard let text = parameters["extent"] else { return }
    let numbers: [Double]
    if text.hasPrefix("[") || text.hasPrefix("{") {
      let corners = try parameters.json("extent")?.array ?? []
      numbers = corners.flatMap { ($0.array ?? []).compactMap(\.double) }
    } else {
      numbers = parameters.list("extent").compactMap(Double.init)
    }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else {
      throw .badRequest("'extent' has four numbers.")
    }
    item.extent = numbers
  }
}
