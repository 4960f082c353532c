internal import PortolanJSON

extension Renderer {
  /// The lines of the legend, from the top; empty if the renderer asks for none or has none.
  ///
  /// Continuous variations (``visualVariables``) follow the classes.
  public var legendEntries: [LegendInfo] {
    guard legendOptions.showsLegend else { return [] }
    return classEntries + visualVariables.flatMap(\.legendEntries)
  }

  private var classEntries: [LegendInfo] {
    switch self {
    case .simple(let renderer):
      [LegendInfo(name: renderer.label, symbol: renderer.symbol, value: .all)]
    case .uniqueValue(let renderer): renderer.legendEntries
    case .classBreaks(let renderer): renderer.legendEntries(legendOptions)
    case .heatmap(let renderer): renderer.legendEntries(legendOptions)
    case .dotDensity(let renderer): renderer.legendEntries(legendOptions)
    case .pieChart(let renderer): renderer.legendEntries
    case .temporal(let renderer):
      [
        renderer.observationRenderer, renderer.latestObservationRenderer, renderer.trackRenderer,
      ].compactMap(\.self).flatMap(\.legendEntries)
    case .other("rasterColormap", let json):
      json.objects("colormapInfos").map { info in
        LegendInfo(
          name: info.text("label") ?? info.text("value") ?? "",
          symbol: .area(of: RGBAColor(json: info["color"])),
          value: .values(info.text("value").map { [[$0]] } ?? []))
      }
    case .dictionary, .other: []
    }
  }
}

extension UniqueValueRenderer {
  fileprivate var legendEntries: [LegendInfo] {
    let entries = groups.flatMap { group in
      group.classes.map { entry in
        LegendInfo(
          name: entry.label, symbol: entry.symbol, value: .values(entry.values),
          heading: group.heading)
      }
    }
    guard let defaultSymbol else { return entries }
    return entries + [LegendInfo(name: defaultLabel, symbol: defaultSymbol, value: .others)]
  }
}

extension ClassBreaksRenderer {
  fileprivate func legendEntries(_ options: LegendOptions) -> [LegendInfo] {
    let entries = classBreaks.map { entry in
      LegendInfo(
        name: entry.label, symbol: entry.symbol,
        value: .range(minimum: entry.minimum, maximum: entry.maximum))
    }
    let ordered = options.isDescending ? entries.reversed() : entries
    guard let defaultSymbol else { return ordered }
    return ordered + [LegendInfo(name: defaultLabel, symbol: defaultSymbol, value: .others)]
  }
}

extension HeatmapRenderer {
  fileprivate func legendEntries(_ options: LegendOptions) -> [LegendInfo] {
    let low = options.minLabel ?? "Low"
    let high = options.maxLabel ?? "High"
    return [LegendInfo(name: "\(low) – \(high)", swatch: .ramp(colorStops))]
  }
}

extension DotDensityRenderer {
  fileprivate func legendEntries(_ options: LegendOptions) -> [LegendInfo] {
    var entries = attributes.map { attribute in
      LegendInfo(
        name: attribute.label,
        symbol: attribute.color.map {
          .simpleMarker(SimpleMarkerSymbol(.circle, color: $0, size: dotSize))
        }, value: .part)
    }
    if let dotValue {
      let unit = options.unit.map { " " + $0 } ?? ""
      let text = DecimalText.grouped(DecimalText.shortest(dotValue))
      entries.append(LegendInfo(name: "1 dot = \(text)\(unit)", swatch: .none))
    }
    return entries
  }
}

extension PieChartRenderer {
  fileprivate var legendEntries: [LegendInfo] {
    let entries = attributes.map {
      LegendInfo(name: $0.label, symbol: .area(of: $0.color), value: .part)
    }
    guard let othersLabel else { return entries }
    return entries + [LegendInfo(name: othersLabel, symbol: .area(of: othersColor), value: .part)]
  }
}

extension VisualVariable {
  /// A ramp for colours that vary; sizes and angles need no line to be understood.
  fileprivate var legendEntries: [LegendInfo] {
    guard legendOptions.showsLegend, case .color(let stops) = kind, let first = stops.first,
      let last = stops.last
    else { return [] }
    let low = first.label ?? DecimalText.shortest(first.value)
    let high = last.label ?? DecimalText.shortest(last.value)
    let heading = legendOptions.title ?? json.filledText("valueExpressionTitle") ?? field
    return [LegendInfo(name: "\(low) – \(high)", swatch: .ramp(stops), heading: heading)]
  }
}

extension Symbol {
  fileprivate static func area(of color: RGBAColor?) -> Symbol? {
    color.map { .simpleFill(SimpleFillSymbol(color: $0)) }
  }
}
