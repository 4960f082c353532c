internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages

extension MapModel {
  /// The open map as a page reads it.
  ///
  /// - Parameters:
  ///   - id: The id of the stored map that it is a map of.
  ///   - siblings: The titles of the maps of its package, and which of them this is.
  ///   - revision: What tiles of it are drawn under; another one whenever they are out of date.
  /// - Returns: All that the map's screen shows but the popups.
  func pageJSON(
    id: String?, siblings: (titles: [String], open: Int)?, revision: Int
  ) -> JSONValue {
    let table = tableOfContents.state.json
    return [
      "title": .string(state.title), "id": JSONValue(id), "revision": .integer(Int64(revision)),
      "siblings": .array((siblings?.titles ?? []).map { .string($0) }),
      "index": JSONValue(siblings?.open), "extent": JSONValue(ground),
      "scale": .number(state.frame.scale),
      "layers": table["layers"] ?? [], "tables": table["tables"] ?? [],
      "legend": .array(legend.state.sections.map { $0.pageJSON(revision: revision) }),
      "bookmarks": .array(
        bookmarks.state.bookmarks.enumerated().map {
          $1.pageJSON(index: $0, revision: revision, in: state.frame.spatialReference)
        }),
      "problems": .array(
        state.problems.sorted { $0.key < $1.key }.map { key, reason in
          [
            "title": .string(state.problemTitles[key] ?? key), "reason": .string(reason),
          ]
        }),
      "credits": JSONValue(map.item.accessInformation),
      "undoCount": JSONValue(editing.state.undoCount),
      "editable": .array(editing.layers.map(\.pageJSON)),
    ]
  }

  /// The ground to show first, in degrees: what was taken offline, else what the map shows first.
  private var ground: Envelope? {
    if let extent = map.item.extent, extent.width > 0, extent.height > 0 { return extent }
    let frame = map.initialFrame(width: 1024, height: 768)
    // A map in a reference that cannot be projected is shown where the person goes.
    return try? Projection(from: frame.spatialReference, to: .wgs84).project(frame.visibleExtent)
  }
}

extension LegendModel.Section {
  fileprivate func pageJSON(revision: Int) -> JSONValue {
    [
      "id": .string(id), "title": .string(title), "groups": .array(groups.map { .string($0) }),
      "entries": .array(
        entries.enumerated().map { index, entry in
          [
            "label": .string(entry.name),
            "picture": .string("/api/legend/\(revision)/\(id.pathComponent)/\(index)"),
          ]
        }),
    ]
  }
}

extension BookmarksModel.Entry {
  fileprivate func pageJSON(
    index: Int, revision: Int, in reference: SpatialReference
  ) -> JSONValue {
    var place: Envelope?
    if let viewpoint {
      let box: Envelope =
        switch viewpoint.target {
        case .center(let center):
          Envelope(xMin: center.x, yMin: center.y, xMax: center.x, yMax: center.y)
        case .extent(let extent): extent
        }
      // A bookmark whose place cannot be projected is listed without one.
      place = try? Projection(from: viewpoint.spatialReference ?? reference, to: .wgs84)
        .project(box)
    }
    return [
      "name": .string(name),
      "picture": place == nil ? .null : .string("/api/bookmarks/\(revision)/\(index)"),
      "center": place.map { .array([.number($0.center.x), .number($0.center.y)]) } ?? .null,
      "extent": JSONValue(place.flatMap { $0.width > 0 ? $0 : nil }),
      "scale": JSONValue(viewpoint?.scale),
    ]
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
  /// What a person draws for it.
  fileprivate var pageName: String {
    switch self {
    case .point: "point"
    case .multipoint: "multipoint"
    case .polyline: "polyline"
    case .polygon, .envelope: "polygon"
    }
  }
}
