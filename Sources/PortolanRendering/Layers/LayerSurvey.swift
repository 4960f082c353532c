internal import PortolanJSON
internal import PortolanMap
internal import PortolanSymbols

extension Layer {
  /// The parts of the layer's definition that are not drawn, in clauses for people.
  ///
  /// Times that limit a layer (`visibilityTimeExtent`, `timeInfo`) say nothing to a picture, which
  /// is of no time, nor do `refreshInterval` and whatever is about popups, editing and charts.
  var partsNotDrawn: [String] {
    let definition = layerDefinition
    var problems = Self.unmet.compactMap { name, clause in
      let value = json[name] ?? definition.json[name] ?? definition.drawingInfo.json[name]
      return value?.saysSomething ?? false ? clause : nil
    }
    switch definition.featureReductionType {
    case nil, "cluster", "binning": break
    case let type?:
      problems.append(
        "its features are drawn one by one, without the \"\(type)\" that it asks for")
    }
    return problems
  }

  private static let unmet: [(String, String)] = [
    ("featureEffect", "features that it sets off are drawn as the others"),
    ("polygonFilter", "features are drawn that its filter by areas leaves out"),
    ("rangeInfos", "features of all ranges are drawn"),
    ("symbolLayerDrawing", "parts of symbols are drawn feature by feature, not level by level"),
    ("trackInfo", "only single observations are drawn, no tracks"),
  ]
}

extension WebMap {
  /// The parts of the map's definition that pictures of it do not show, in clauses for people.
  var partsNotDrawn: [String] {
    let unmet = [
      ("mapRangeInfo", "features of all ranges are drawn"),
      ("mapFloorInfo", "all floors are drawn"),
    ]
    var problems = unmet.compactMap { name, clause in
      json[name]?.saysSomething ?? false ? clause : nil
    }
    if json.object("initialState")?["timeExtent"]?.saysSomething ?? false {
      problems.append("features of all times are drawn")
    }
    return problems
  }
}

extension LayerDefinition {
  /// The condition of the display filter that holds at a scale, in SQL, if there is one.
  func displayFilter(atScale scale: Double) -> String? {
    guard let info = json.object("displayFilterInfo") else { return nil }
    let filters = info.objects("filters")
    let active =
      info.text("filterMode") == "scale"
      ? filters.first { filter in
        ScaleRange(
          minScale: filter.number("minScale") ?? 0, maxScale: filter.number("maxScale") ?? 0
        ).contains(scale)
      }
      : filters.first { $0.text("id") == info.text("activeFilterId") }
    return active?.filledText("where")
  }
}
