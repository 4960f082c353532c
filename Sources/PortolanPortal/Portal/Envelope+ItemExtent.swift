internal import PortolanGeometry
internal import PortolanJSON

extension Envelope {
  /// Reads the extent of an item, in WGS 84; `nil` for all the ways of saying that there is none.
  ///
  /// Corners are `[[xmin, ymin], [xmax, ymax]]`; some portals write their numbers as strings, and
  /// package items hold an envelope.
  init?(itemExtent json: JSONValue) {
    let ordinates =
      if let corners = json.array {
        [corners.first?[0], corners.first?[1], corners.last?[0], corners.last?[1]]
      } else {
        ["xmin", "ymin", "xmax", "ymax"].map { json[$0] }
      }
    let numbers = ordinates.compactMap { $0?.lenientNumber }
    guard numbers.count == 4, json.array?.count ?? 2 == 2 else { return nil }
    self.init(
      west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3], worldWidth: 360)
  }
}
