internal import Foundation
public import PortolanJSON

extension PortalBrowserModel.State {
  /// The results of the search, as JSON output holds them.
  public var json: JSONValue { json(of: rows) }

  /// As ``json``, with some of the rows only, and where the packages among them are on this device.
  public func json(
    of rows: [PortalBrowserModel.Row], states: [String: PortalItemPresence] = [:]
  ) -> JSONValue {
    var members: JSONObject = [
      "portal": .string(portal.absoluteString), "text": .string(text),
      "total": JSONValue(orNull: total), "page": JSONValue(orNull: page),
      "pages": JSONValue(orNull: pageCount), "hasMore": .bool(hasMore),
      "items": .array(rows.map { $0.json(states[$0.id]) }),
    ]
    if let reachableCount { members["reachable"] = JSONValue(orNull: reachableCount) }
    return .object(members)
  }
}

extension PortalBrowserModel.Row {
  fileprivate func json(_ presence: PortalItemPresence?) -> JSONValue {
    [
      "id": .string(id), "title": .string(title), "type": .string(kind),
      "state": JSONValue(orNull: presence?.word), "progress": presence?.progressJSON ?? .null,
      "owner": JSONValue(orNull: owner), "snippet": JSONValue(orNull: snippet),
      "modified": JSONValue(orNull: modified), "size": JSONValue(orNull: size),
      "extent": JSONValue(orNull: extent),
    ]
  }
}

extension PortalItemModel.Details {
  /// The item as JSON output holds it.
  public var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "type": .string(kind),
      "owner": JSONValue(orNull: owner), "access": JSONValue(orNull: access),
      "created": JSONValue(orNull: created), "modified": JSONValue(orNull: modified),
      "size": JSONValue(orNull: size), "snippet": JSONValue(orNull: snippet),
      "description": JSONValue(orNull: description), "tags": JSONValue(texts: tags),
      "credits": JSONValue(orNull: credits), "termsOfUse": JSONValue(orNull: termsOfUse),
      "extent": JSONValue(orNull: extent), "url": JSONValue(orNull: url?.absoluteString),
      "views": JSONValue(orNull: views), "thumbnailBytes": JSONValue(orNull: thumbnail?.count),
      "problem": thumbnailProblem?.json ?? .null,
    ]
  }
}

extension WebMapModel.Contents {
  /// The web map with the state of each layer, as JSON output holds it.
  public var json: JSONValue {
    [
      "title": .string(title), "id": JSONValue(orNull: itemID), "version": .string(version),
      "bookmarks": JSONValue(orNull: bookmarkCount), "layers": .array(layers.map(\.json)),
      "keptSince": JSONValue(orNull: keptSince),
    ]
  }
}

extension WebMapModel.Row {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "type": .string(type),
      "groups": JSONValue(texts: groups), "basemap": .bool(isBasemap),
      "status": .string(status.word), "problem": problem?.json ?? .null,
    ]
  }
}

extension LayerStatus {
  /// The status in a word or two.
  public var word: String {
    switch self {
    case .notLoaded: "not loaded"
    case .loading: "loading"
    case .loaded: "loaded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }
}

extension PortalInformationModel.Information {
  /// The portal as JSON output holds it.
  public var json: JSONValue {
    [
      "portal": .string(url.absoluteString), "name": JSONValue(orNull: name),
      "organization": JSONValue(orNull: organization), "kind": .string(product),
      "version": JSONValue(orNull: version), "user": JSONValue(orNull: username),
      "supportsOAuth": .bool(supportsOAuth),
    ]
  }
}
