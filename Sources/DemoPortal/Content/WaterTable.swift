internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// A table of the invented water network.
enum WaterTable: String, CaseIterable, Sendable {
  case mains = "Mains"
  case valves = "Valves"
  case hydrants = "Hydrants"
  case zones = "Zones"

  /// One of its features, for its name.
  var singular: String { String(rawValue.dropLast()) }

  var serviceLayerID: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  private var geometryType: GeometryType {
    switch self {
    case .mains: .polyline
    case .valves, .hydrants: .point
    case .zones: .polygon
    }
  }

  var schema: FeatureTableSchema {
    FeatureTableSchema(
      name: rawValue, alias: self == .zones ? "Pressure zones" : rawValue,
      geometryType: geometryType, spatialReference: .webMercator,
      fields: [
        Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
        Field("NAME", .string, alias: "Name", length: 40),
        Field("DIAMETER", .smallInteger, alias: "Diameter (mm)"),
        Field("INSTALLED", .smallInteger, alias: "Year of installation"),
        Field("GlobalID", .globalID, length: 38, isNullable: false, isEditable: false),
      ],
      globalIDField: "GlobalID", displayField: "NAME", serviceLayerID: serviceLayerID)
  }

  var drawingInfo: JSONValue {
    ["renderer": ["type": "simple", "label": .string(singular), "symbol": symbol]]
  }

  private var symbol: JSONValue {
    switch self {
    case .mains:
      ["type": "esriSLS", "style": "esriSLSSolid", "color": [40, 110, 180, 255], "width": 2]
    case .valves:
      [
        "type": "esriSMS", "style": "esriSMSDiamond", "color": [90, 90, 90, 255], "size": 6,
      ]
    case .hydrants:
      ["type": "esriSMS", "style": "esriSMSCircle", "color": [200, 50, 40, 255], "size": 7]
    case .zones:
      [
        "type": "esriSFS", "style": "esriSFSSolid", "color": [150, 190, 220, 90],
        "outline": [
          "type": "esriSLS", "style": "esriSLSSolid", "color": [110, 140, 170, 255], "width": 1,
        ],
      ]
    }
  }
}
