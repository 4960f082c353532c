internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanMap

/// The visible part of the open map, as a picture for the terminal.
struct MapView {
  /// A wider picture says no more in characters.
  private static let maximumColumns = 100

  private let picture: MapPicture
  private let lines: [String]
  /// The facts that the view itself shows already.
  private let known: Set<String>

  /// Draws what the screen shows.
  @MainActor init(of map: MapModel, in session: Session) async throws {
    let format = session.pictureFormat
    var options = SnapshotModel.Options()
    options.showsSelection = true
    options.pixelRatio = format.showsPixels ? 0.75 : 0.5
    known = Set(map.state.problems.values)
    picture = try await map.snapshot.draw(options)
    let columns = min(session.console.width ?? 80, Self.maximumColumns)
    // A picture drawn a moment ago can be decoded.
    lines =
      PicturePixels(decoding: picture.data).map {
        TerminalPicture(image: $0, format: format, columns: columns).lines
      } ?? []
  }

  /// The picture, and what it does not show.
  var blocks: [TextDocument.Block] {
    let others = picture.omissions.filter { !known.contains($0.reason) }
    return [.picture(lines)] + others.map { .paragraph("Not drawn: \($0.sentence)", indent: 2) }
  }

  /// The document of the view, with the picture as a data URL.
  func json(beside view: JSONValue) -> JSONValue {
    var members = view.object ?? [:]
    members["picture"] = .string("data:image/png;base64," + picture.data.base64EncodedString())
    return .object(members)
  }
}
