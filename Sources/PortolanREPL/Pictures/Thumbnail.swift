internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanRendering

/// The small picture of a map, an area or a place.
struct Thumbnail {
  static let flag = Parameter.flag(
    "picture", "Show the pictures too; with --json as data URLs.")
  /// A wider picture would be a page of its own.
  private static let columns = 30

  private let image: PixelImage
  private let pngData: Data

  /// `nil` if these are the bytes of no picture that can be read.
  init?(_ data: Data) {
    // What is no picture is not shown.
    guard let image = try? PixelImage(decoding: data) else { return nil }
    let isPNG = data.starts(with: [0x89, 0x50, 0x4E, 0x47])
    // Terminals take PNG; what came as another picture is written anew.
    guard let png = isPNG ? data : try? image.pngData() else { return nil }
    self.image = image
    pngData = png
  }

  /// The PNG file as an address that holds it.
  var json: JSONValue { .string("data:image/png;base64," + pngData.base64EncodedString()) }

  /// The picture below its title.
  func blocks(title: String, in format: TerminalPictureFormat) -> [TextDocument.Block] {
    let lines = TerminalPicture(
      image: image, pngData: pngData, format: format, columns: Self.columns
    ).lines
    return [.blank, .line(title), .picture(lines)]
  }
}

extension MapListModel {
  /// The pictures of rows by their ids; rows without one are left out.
  func thumbnails(of items: [MapListItem]) async throws(Problem) -> [String: Thumbnail] {
    var pictures: [String: Thumbnail] = [:]
    for item in items {
      pictures[item.id] = try await thumbnail(of: item.id).flatMap(Thumbnail.init)
    }
    return pictures
  }
}
