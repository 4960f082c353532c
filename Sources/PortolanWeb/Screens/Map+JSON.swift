internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

extension MapModel {
  /// The open map as a page reads it.
  ///
  /// - Parameters:
  ///   - id: The id of the stored map that it is a map of.
  ///   - siblings: The titles of the maps of its package, and which of them this is.
  ///   - opening: The number of the map among those that were opened.
  ///   - revision: What tiles of it are drawn under; another one whenever they are out of date.
  /// - Returns: All that the map's screen shows but the popups.
  func pageJSON(
    id: String?, siblings: (titles: [String], open: Int)?, opening: Int, revision: Int
  ) -> JSONValue {
    let table = tableOfContents.state.json
    let places = bookmarks.state
    return [
      "title": .string(state.title), "id": JSONValue(id),
      "webMap": JSONValue(id == nil ? itemID : nil), "revision": .integer(Int64(revision)),
      "opening": .integer(Int64(opening)),
      "siblings": .array((siblings?.titles ?? []).map { .string($0) }),
      "index": JSONValue(siblings?.open), "extent": JSONValue(homeExtent),
      "scale": .number(state.frame.scale),
      "layers": table["layers"] ?? [], "tables": table["tables"] ?? [],
      "omissions": table["omissions"] ?? [],
      "legend": legend.state.layersJSON { section, index in
        let place = "/api/legend/\(revision)/\(section.id.pathComponent)/\(index)"
        return JSONObject.Member(name: "picture", value: .string(place))
      },
      "bookmarks": places.bookmarksJSON(in: state.frame.spatialReference) { index in
        // One's own change their numbers, under which browsers remember pictures.
        let hasPicture = places.bookmarks[index].hasPicture && !places.bookmarks[index].isOwn
        return JSONObject.Member(
          name: "picture",
          value: hasPicture ? .string("/api/bookmarks/\(revision)/\(index)") : .null)
      },
      "bookmarksProblem": JSONValue(places.problem?.message),
      "problems": .array(pageProblems),
      "credits": JSONValue(credits),
      "undoCount": JSONValue(editing.state.undoCount),
      "featureReads": JSONValue(popups.reloadCount),
      "editable": .array(editing.editableLayers.map(\.pageJSON)),
      "searchable": .array(
        search.layers.map { ["id": .string($0.id), "title": .string($0.title)] }),
    ]
  }
}

extension MapModel {
  /// The layers that cannot be used, and those of which something was not drawn, with the servers that want a
  /// sign-in.
  private var pageProblems: [JSONValue] {
    let unusable = state.problems.map { key, reason in
      (key, title: state.problemTitles[key] ?? key, reason)
    }
    let undrawn = state.drawings.values.compactMap { drawing in
      state.problems[drawing.key] == nil
        ? drawing.reason.map { (drawing.key, title: drawing.title, $0) } : nil
    }
    let aged = [state.keptSince].compactMap(\.self).map { date in
      ("", title: state.title, KeptNotice.sentence(since: date))
    }
    return (aged + unusable + undrawn).sorted { $0.0 < $1.0 }.map { key, title, reason in
      [
        "title": .string(title), "reason": .string(reason),
        "server": JSONValue(state.signInServers[key]?.absoluteString),
      ]
    }
  }
}

extension EditingModel.LayerEntry {
  fileprivate var pageJSON: JSONValue {
    [
      "id": .string(id), "title": .string(title), "table": .string(table),
      "geometry": JSONValue(geometryType?.pageName),
    ]
  }
}

extension GeometryType {
  /// The shape that a person draws for it, by the name that pages use.
  fileprivate var pageName: String {
    switch self {
    case .point: "point"
    case .multipoint: "multipoint"
    case .polyline: "polyline"
    case .polygon, .envelope: "polygon"
    }
  }
}
