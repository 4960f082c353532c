internal import PortolanFeatures
public import PortolanGeometry
public import PortolanJSON
internal import PortolanMap

extension MapModel.State {
  /// The visible state of the map, as JSON output holds it.
  public var json: JSONValue {
    [
      "title": .string(title), "center": JSONValue(position: frame.centerInDegrees),
      "scale": .number(frame.scale), "rotation": .number(frame.rotation),
      "size": [.number(frame.width), .number(frame.height)],
      "extent": JSONValue(orNull: frame.visibleExtentInDegrees),
      "spatialReference": JSONValue(orNull: frame.spatialReference.currentWKID),
      "problems": problemsJSON,
    ]
  }

  /// The layers that cannot be used, by layer key, as JSON output holds them.
  public var problemsJSON: JSONValue {
    .object(
      JSONObject(
        problems.sorted { $0.key < $1.key }.map {
          JSONObject.Member(name: $0.key, value: .string($0.value))
        }))
  }
}

extension LegendModel.State {
  /// The legend as JSON output holds it.
  ///
  /// - Parameter picture: What a line says about its picture, by its layer and its place in it: the
  ///   name of a member and its value; nothing if `nil`.
  /// - Returns: The layers.
  public func layersJSON(
    picture: ((LegendModel.Section, Int) -> JSONObject.Member)? = nil
  ) -> JSONValue {
    .array(
      sections.map { section in
        [
          "id": .string(section.id), "title": .string(section.title),
          "groups": JSONValue(texts: section.groups),
          "entries": .array(
            section.entries.indices.map { index in
              var members = section.entries[index].members
              if let own = picture?(section, index) { members[own.name] = own.value }
              return .object(members)
            }),
        ]
      })
  }
}

extension LegendInfo {
  fileprivate var members: JSONObject {
    [
      "label": .string(name), "heading": JSONValue(orNull: heading),
      "swatch": .string(SwatchText(swatch).text),
      "symbol": symbol.map { .object($0.json) } ?? .null,
    ]
  }
}

extension BookmarksModel.State {
  /// The bookmarks as the documents of shells hold them.
  ///
  /// - Parameters:
  ///   - reference: What the coordinates of bookmarks mean that do not say so.
  ///   - picture: What a bookmark says about its picture, by its place in the list.
  /// - Returns: The bookmarks.
  public func bookmarksJSON(
    in reference: SpatialReference? = nil, picture: ((Int) -> JSONObject.Member)? = nil
  ) -> JSONValue {
    .array(
      bookmarks.indices.map { index in
        var members = bookmarks[index].members(in: reference)
        members["number"] = JSONValue(orNull: index + 1)
        if bookmarks[index].isOwn { members["own"] = .bool(true) }
        if let own = picture?(index) { members[own.name] = own.value }
        return .object(members)
      })
  }
}

extension BookmarksModel.Entry {
  fileprivate func members(in reference: SpatialReference?) -> JSONObject {
    let place = extent(in: reference)
    return [
      "number": .null, "name": .string(name), "viewpoint": viewpoint?.esriJSON ?? .null,
      "thumbnail": .bool(hasThumbnail), "center": JSONValue(position: place?.center),
      "extent": JSONValue(orNull: place.flatMap { $0.width > 0 ? $0 : nil }),
      "scale": JSONValue(orNull: viewpoint?.scale),
    ]
  }

  /// The place in degrees; a box without size for a bookmark that is a point.
  private func extent(in reference: SpatialReference?) -> Envelope? {
    guard let viewpoint, let own = viewpoint.spatialReference ?? reference else { return nil }
    // A bookmark whose place cannot be projected is listed without one.
    return try? Projection(from: own, to: .wgs84).project(viewpoint.target.extent)
  }
}

extension PackageModel.Contents {
  /// The package as JSON output holds it.
  ///
  /// - Parameter index: Which of its maps is open, counted from 0.
  /// - Returns: The package.
  public func json(open index: Int?) -> JSONObject {
    [
      "title": .string(title), "summary": JSONValue(orNull: summary),
      "version": .string(version), "extent": JSONValue(orNull: extent),
      "maps": .array(maps.map(\.json)), "open": JSONValue(orNull: index.map { $0 + 1 }),
      "warnings": JSONValue(texts: warnings),
    ]
  }
}

extension PackageModel.MapEntry {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "layerCount": JSONValue(orNull: layerCount),
      "bookmarkCount": JSONValue(orNull: bookmarkCount),
      "problem": JSONValue(orNull: problem?.message),
    ]
  }
}

extension IdentifyModel.State {
  /// The results of identifying, as JSON output holds them.
  ///
  /// - Parameter popups: The popups of the features, in the same order.
  /// - Returns: The layers that answered.
  public func layersJSON(with popups: PopupsModel.State) -> JSONValue {
    var index = 0
    return .array(
      results.map { result in
        let features = result.features.map { feature -> JSONValue in
          defer { index += 1 }
          let page = popups.pages.indices.contains(index) ? popups.pages[index] : nil
          return [
            "number": JSONValue(orNull: index + 1), "objectId": .integer(feature.objectID),
            "title": .string(page?.title ?? ""),
            "notEvaluated": JSONValue(texts: page?.notEvaluated ?? []),
          ]
        }
        return [
          "id": .string(result.id), "title": .string(result.title), "features": .array(features),
          "isCut": .bool(result.isCut), "problem": JSONValue(orNull: result.problem?.message),
        ]
      })
  }
}
