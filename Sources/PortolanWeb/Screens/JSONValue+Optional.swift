internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

extension JSONValue {
  /// A text, or `null`.
  init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// A number, or `null`.
  init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

  /// A number, or `null`.
  init(_ number: Double?) { self = number.map { .number($0) } ?? .null }

  /// A date as ISO 8601, or `null`.
  init(_ date: Date?) { self.init(date?.formatted(.iso8601)) }

  /// West, south, east and north in degrees, or `null`.
  init(_ extent: Envelope?) {
    self =
      extent.map { .array([$0.xMin, $0.yMin, $0.xMax, $0.yMax].map { .number($0) }) } ?? .null
  }
}

extension String {
  /// As a part of the path of an address.
  var pathComponent: String {
    addingPercentEncoding(
      withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_.~"))) ?? ""
  }
}
