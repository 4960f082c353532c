internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

// The values that may be missing, as the documents of all states write them.
extension JSONValue {
  /// A text, or `null`.
  init(orNull text: String?) { self = text.map(JSONValue.string) ?? .null }

  /// A whole number, or `null`.
  init(orNull number: (some BinaryInteger)?) {
    self = number.map { .integer(Int64(clamping: $0)) } ?? .null
  }

  /// A number, or `null`.
  init(orNull number: Double?) { self = number.map(JSONValue.number) ?? .null }

  /// A moment as ISO 8601, or `null`.
  init(orNull date: Date?) { self.init(orNull: date?.formatted(.iso8601)) }

  /// An extent as `[xmin, ymin, xmax, ymax]`, or `null`.
  init(orNull extent: Envelope?) {
    self =
      extent.map { .array([$0.xMin, $0.yMin, $0.xMax, $0.yMax].map(JSONValue.number)) } ?? .null
  }

  /// A position as `[x, y]`, or `null`.
  init(position: Coordinate?) { self = position.map { [.number($0.x), .number($0.y)] } ?? .null }

  /// A list of texts.
  init(texts: [String]) { self = .array(texts.map(JSONValue.string)) }
}
