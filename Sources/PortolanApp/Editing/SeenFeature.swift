public import PortolanFeatures
internal import PortolanGeometry

/// A feature as the user has seen it, to detect later changes.
///
/// Two are equal if attributes and shape are; a number stands for them, which means nothing to another
/// process.
public struct SeenFeature: Hashable, Sendable {
  /// The number.
  public let number: Int

  /// Hashes the visible content of a feature.
  public init(_ feature: Feature) {
    var hasher = Hasher()
    hasher.combine(feature.objectID)
    hasher.combine(feature.geometry)
    for (field, value) in zip(feature.attributes.fields, feature.attributes.values)
    where value != .null {
      hasher.combine(field.name)
      hasher.combine(value)
    }
    number = hasher.finalize()
  }

  /// Takes over a number that another value had.
  public init(number: Int) { self.number = number }
}

/// A shape as it was read, to detect later changes.
///
/// Ordinates that are missing equal each other here, as the numbers that stand for them do not.
struct SeenShape: Equatable {
  private let shape: Geometry?
  private let number: Int

  init(_ shape: Geometry?) {
    self.shape = shape
    number = shape.hashValue
  }

  static func == (left: SeenShape, right: SeenShape) -> Bool {
    left.shape == right.shape || left.number == right.number
  }
}
