internal import PortolanFeatures

extension FeatureEditError {
  /// The same error about a value, with what people call the field in place of its name.
  func naming(_ label: String) -> FeatureEditError {
    switch self {
    case .wrongType(_, let expected, let found, let place):
      .wrongType(field: label, expected: expected, found: found, place)
    case .outOfRange(_, let type, let found, let place):
      .outOfRange(field: label, type: type, found: found, place)
    case .textTooLong(_, let length, let limit, let place):
      .textTooLong(field: label, length: length, limit: limit, place)
    case .dataTooLong(_, let length, let limit, let place):
      .dataTooLong(field: label, length: length, limit: limit, place)
    case .nullNotAllowed(_, let place): .nullNotAllowed(field: label, place)
    case .valueNotInDomain(_, let value, let domain, let place):
      .valueNotInDomain(field: label, value: value, domain: domain, place)
    case .unknownSubtype(_, let value, let available, let place):
      .unknownSubtype(field: label, value: value, available: available, place)
    default: self
    }
  }
}
