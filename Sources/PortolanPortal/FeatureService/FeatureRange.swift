/// The part of a query that one request asks for.
enum FeatureRange: Hashable, Sendable {
  /// Features by their place in the order.
  case positions(offset: Int, count: Int)
  /// Features by their object ids.
  case objectIDs([Int64])
  /// Everything that the service gives at once, of a table without object ids.
  case whole

  /// The maximum number of features.
  var count: Int {
    switch self {
    case .positions(_, let count): count
    case .objectIDs(let ids): ids.count
    case .whole: .max
    }
  }
}

extension FeatureRange: CustomStringConvertible {
  var description: String {
    switch self {
    case .positions(let offset, let count): "features \(offset + 1) to \(offset + count)"
    case .objectIDs(let ids) where ids.count == 1: "the feature with the object id \(ids[0])"
    case .objectIDs(let ids):
      "the \(ids.count) features with the object ids \(ids.first ?? 0) to \(ids.last ?? 0)"
    case .whole: "the features"
    }
  }
}
