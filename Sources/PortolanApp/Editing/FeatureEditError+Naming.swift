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

  /// The same error about a table, with the title of the layer that shows it in place of its name.
  func naming(layer title: String, of table: String) -> FeatureEditError {
    func named(_ place: EditPlace) -> EditPlace {
      var place = place
      // An edit may be about a related table as well.
      if place.table == table { place.table = title }
      return place
    }
    return switch self {
    case .tableNotEditable(table, let reason): .tableNotEditable(table: title, reason: reason)
    case .noSuchRow(let id, let place): .noSuchRow(objectID: id, named(place))
    case .noSuchAttachment(let id, let place): .noSuchAttachment(id: id, named(place))
    case .noAttachments(let place): .noAttachments(named(place))
    case .cannotRelate(let other, let reason, let place):
      .cannotRelate(to: other, reason: reason, named(place))
    case .objectIDsUsedUp(let place): .objectIDsUsedUp(named(place))
    case .unknownField(let name, let place): .unknownField(name: name, named(place))
    case .geometryNotAllowed(let place): .geometryNotAllowed(named(place))
    case .wrongGeometryType(let expected, let found, let place):
      .wrongGeometryType(expected: expected, found: found, named(place))
    case .missingHeights(let place): .missingHeights(named(place))
    case .surplusOrdinates(let axis, let place): .surplusOrdinates(axis, named(place))
    case .outsideCoordinateRange(let axis, let value, let range, let place):
      .outsideCoordinateRange(axis, value: value, range: range, named(place))
    case .refused(let file, let reason, let place):
      .refused(file: file, reason: reason, named(place))
    default: self
    }
  }
}
