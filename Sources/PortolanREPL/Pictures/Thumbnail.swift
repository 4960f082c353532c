internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// The small picture of a map, an area or a place.
struct Thumbnail {
  static let flag = Parameter.flag(
    "picture", "Show the pictures too; with --json as data URLs.")
  /// A wider picture would be a page of its own.
  private static let columns = 30

  private let image: PicturePixels

  /// `nil` if these are the bytes of no picture that can be read.
  init?(_ data: Data) {
    guard let image = PicturePixels(decoding: data) else { return nil }
    self.image = image
  }

  /// The PNG file as an address that holds it.
  var json: JSONValue {
    .string("data:image/png;base64," + image.pngData.base64EncodedString())
  }

  /// The picture below its title.
  func blocks(title: String, in format: TerminalPictureFormat) -> [TextDocument.Block] {
    let lines = TerminalPicture(
      image: image, format: format, columns: Self.columns
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
