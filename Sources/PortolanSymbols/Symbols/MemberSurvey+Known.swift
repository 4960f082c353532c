internal import PortolanMap

extension MemberSurvey {
  static let anyRenderer: Set<String> = [
    "type", "label", "description", "authoringInfo", "legendOptions", "valueExpressionTitle",
    "classificationMethod", "defaultLabel", "visualVariables", "rotationExpression",
    "rotationType", "backgroundFillSymbol", "toolTip",
  ]

  /// The members of each kind of renderer that are drawn; other kinds are not drawn at all.
  static let renderers: [String: Set<String>] = [
    "simple": ["symbol"],
    "uniqueValue": uniqueValue, "predominance": uniqueValue,
    "classBreaks": [
      "field", "minValue", "classBreakInfos", "normalizationField", "normalizationTotal",
      "normalizationType", "defaultSymbol", "valueExpression", "standardDeviationInterval",
      "isMaxInclusive",
    ],
    "heatmap": [
      "field", "colorStops", "maxDensity", "minDensity", "radius", "referenceScale",
      "blurRadius", "maxPixelIntensity", "minPixelIntensity",
    ],
    // Any seed scatters dots as well as any other.
    "dotDensity": [
      "attributes", "backgroundColor", "dotSize", "dotValue", "outline", "referenceScale", "seed",
    ],
    "pieChart": [
      "attributes", "size", "holePercentage", "othersCategory", "defaultColor", "outline",
    ],
    "temporal": [
      "observationalRenderer", "observationRenderer", "latestObservationRenderer", "trackRenderer",
    ],
  ]

  private static let uniqueValue: Set<String> = [
    "field1", "field2", "field3", "fieldDelimiter", "uniqueValueInfos", "uniqueValueGroups",
    "defaultSymbol", "valueExpression",
  ]

  static let classMembers: Set<String> = [
    "value", "values", "label", "description", "symbol", "classMaxValue", "classMinValue", "count",
  ]

  static let variable: Set<String> = [
    "type", "field", "valueExpression", "valueExpressionTitle", "expression",
    "normalizationField", "legendOptions", "stops", "minDataValue", "maxDataValue", "minSize",
    "maxSize", "valueUnit", "valueRepresentation", "target", "axis", "rotationType",
    // Sizes of symbols say nothing where a value gives the size.
    "useSymbolValue", "theme",
  ]

  static let anySymbol: Set<String> = [
    "type", "name", "title", "description", "styleOrigin", "id", "tags",
  ]

  static let symbols: [String: Set<String>] = [
    "esriSMS": ["style", "color", "size", "angle", "xoffset", "yoffset", "outline"],
    "esriSLS": ["style", "color", "width", "marker", "cap", "join", "miterLimit"],
    "esriSFS": ["style", "color", "outline"],
    "esriPMS": [
      "url", "imageData", "contentType", "width", "height", "angle", "xoffset", "yoffset",
      // Written by ArcGIS Server and without meaning for pictures.
      "color", "size", "xscale", "yscale", "source",
    ],
    "esriPFS": [
      "url", "imageData", "contentType", "width", "height", "angle", "xoffset", "yoffset",
      "xscale", "yscale", "outline", "color", "source",
    ],
    "esriTS": [
      "text", "color", "backgroundColor", "borderLineColor", "borderLineSize", "haloColor",
      "haloSize", "font", "angle", "xoffset", "yoffset", "horizontalAlignment",
      "verticalAlignment",
      // Pango kerns, and finds out by itself which way letters run.
      "kerning", "rightToLeft",
    ],
  ]

  static let styles: [String: Set<String>] = [
    "esriSMS": Set(SimpleMarkerSymbol.Style.allCases.map(\.rawValue)),
    "esriSLS": Set(SimpleLineSymbol.Style.allCases.map(\.rawValue)),
    "esriSFS": Set(SimpleFillSymbol.Style.allCases.map(\.rawValue)),
  ]
}
