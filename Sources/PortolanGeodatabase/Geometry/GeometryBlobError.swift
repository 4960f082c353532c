internal import Foundation
internal import PortolanFeatures
package import PortolanGeometry

/// Why a geometry blob cannot be read or written.
package enum GeometryBlobError: Error, Hashable, Sendable {
  /// There are fewer bytes than the header needs, or the first is not the mark of the format.
  case notAGeometryBlob(byteCount: Int)
  /// The shape is of a class that is not known.
  case unknownClass(Int)
  /// The header promises what the bytes do not hold, whichever way its optional parts are read.
  case inconsistentHeader
  /// A number runs beyond its end, is longer than nine bytes, or leaves the 64-bit range.
  case malformedNumber(offset: Int)
  /// A coordinate is not a finite number within the range that the precision allows.
  case outsideDomain(value: Double)
  /// The shape is of another type than the table's.
  case wrongType(expected: GeometryType, found: GeometryType)
  /// A ring passes each of its vertices several times, so that its end is ambiguous.
  case ambiguousRing
  /// The shape has more vertices or bytes than the format can count.
  case tooLarge(vertexCount: Int)
}

extension GeometryBlobError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .notAGeometryBlob(let count):
      count == 1 ? "a byte that is no shape" : "\(count) bytes that are no shape"
    case .unknownClass(let number): "a shape of the unknown class \(number)"
    case .inconsistentHeader: "a shape whose header does not fit its bytes"
    case .malformedNumber(let offset): "a shape with a malformed number at byte \(offset)"
    case .outsideDomain(let value): "the coordinate \(value) lies outside the table's range"
    case .wrongType(let expected, let found):
      "the table holds \(expected.noun), not \(found.noun)"
    case .ambiguousRing: "a ring passes each of its vertices several times"
    case .tooLarge(let count): "a shape of \(count) vertices is too large for the format"
    }
  }

  package var recoverySuggestion: String? {
    switch self {
    case .notAGeometryBlob, .unknownClass, .inconsistentHeader, .malformedNumber:
      "Copy or download the file again."
    case .outsideDomain: "Check that the shape is in the table's spatial reference."
    case .wrongType: "Put the shape into a table of its own type."
    case .ambiguousRing: "Draw the ring so that it goes around once."
    case .tooLarge: "Cut the shape into several."
    }
  }
}
