internal import Foundation
internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap

/// Pictures, and drawing information of layers.
enum RenderingSeeds {
  static func pictures() throws -> [Data] {
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 8, yMax: 8)
    let canvas = try Canvas(
      of: ground, width: 8, height: 8, background: RGBAColor(red: 200, green: 100, blue: 50))
    let others = [
      // A dot as WebP; PNG files of a palette of four bits, and with a row of every filter.
      "UklGRhwAAABXRUJQVlA4TBAAAAAvAAAAAAfQ//73v/+BiOh/AAA=",
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADBAMAAACpGNjLAAAADFBMVEUAAQIDBAUGBwgJCgvcTDicAAAAAnRS\
      TlMAgJsrThgAAAAOSURBVHicY2BUFmCAYgADhwCd3UQIhwAAAABJRU5ErkJggg==
      """,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAIAAAAFCAIAAADg0arLAAAAK0lEQVR4nGNgYOcTlVFmZOTgF5NVYWLiFBCX\
      U2Vm5hKUkFdjYeEWklRQBwAkpAJU/IMQewAAAABJRU5ErkJggg==
      """,
    ]
    return [try canvas.pngData()] + others.compactMap { Data(base64Encoded: $0) }
  }

  static let words = [
    "esriSMS", "esriSLS", "esriSFS", "esriPMS", "esriPFS", "esriTS", "CIMSymbolReference",
    "CIMVectorMarker", "CIMSolidStroke", "CIMHatchFill", "symbolLayers", "visualVariables",
    "sizeInfo", "heatmap", "dotDensity", "pieChart", "uniqueValue", "classBreaks", "1e300", "-1e9",
  ]

  /// Three shapes of a kind, of which one is far too large.
  static func features(_ type: GeometryType) -> [Feature] {
    [5.0, 20, 1e12].enumerated().map { index, size in
      let box = Envelope(xMin: -size, yMin: -size, xMax: size, yMax: size)
      let ring = box.polygon.rings[0]
      let geometry: Geometry =
        switch type {
        case .polygon: .polygon(Polygon(rings: [ring]))
        case .polyline: .polyline(Polyline(paths: [ring]))
        default: .point(Point(x: size, y: -size))
        }
      return Feature(
        objectID: Int64(index), attributes: WhereSeeds.row, geometry: geometry)
    }
  }

  static let drawings = [
    """
    {"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSDiamond","color":[200,0,0,255],
    "size":9,"angle":30,"outline":{"type":"esriSLS","style":"esriSLSDash","color":[0,0,0,255],"width":1}},
    "visualVariables":[{"type":"sizeInfo","field":"DEPTH","minDataValue":0,"maxDataValue":90,"minSize":4,
    "maxSize":30},{"type":"rotationInfo","field":"DEPTH"}]},"labelingInfo":[{"labelExpression":"[NAME]",
    "labelPlacement":"esriServerPointLabelPlacementAboveRight","symbol":{"type":"esriTS","color":[0,0,0,255],
    "haloColor":[255,255,255,255],"haloSize":1,"font":{"family":"Arial","size":8}}}]}
    """,
    """
    {"renderer":{"type":"uniqueValue","field1":"NAME","uniqueValueInfos":[{"value":"a","symbol":
    {"type":"esriSFS","style":"esriSFSDiagonalCross","color":[0,120,0,255]}}],"defaultSymbol":
    {"type":"esriPFS","imageData":"iVBORw0KGgo=","width":8,"height":8}},"transparency":40}
    """,
    """
    {"renderer":{"type":"simple","symbol":{"type":"CIMSymbolReference","symbol":{"type":"CIMPolygonSymbol",
    "symbolLayers":[{"type":"CIMSolidStroke","width":2,"color":[0,0,0,255],"effects":[{"type":
    "CIMGeometricEffectDashes","dashTemplate":[4,2]},{"type":"CIMGeometricEffectOffset","offset":2}]},
    {"type":"CIMVectorMarker","size":9,"frame":{"xmin":0,"ymin":0,"xmax":9,"ymax":9},"markerPlacement":
    {"type":"CIMMarkerPlacementAlongLineSameSize","placementTemplate":[9]},"markerGraphics":[{"geometry":
    {"rings":[[[0,0],[4,9],[9,0],[0,0]]]},"symbol":{"type":"CIMPolygonSymbol","symbolLayers":[{"type":
    "CIMSolidFill","color":[200,0,0,255]}]}}]},{"type":"CIMHatchFill","separation":4,"rotation":20,"lineSymbol":
    {"symbolLayers":[{"type":"CIMSolidStroke","width":1,"color":[0,0,200,255]}]}}]}}}}
    """,
    """
    {"renderer":{"type":"heatmap","radius":9,"maxDensity":0.01,"colorStops":[{"ratio":0,"color":[0,0,255,0]},
    {"ratio":1,"color":[255,0,0,255]}]}}
    """,
    """
    {"renderer":{"type":"dotDensity","dotValue":10,"dotSize":1,"attributes":[{"field":"DEPTH","color":
    [0,0,0,255]}],"outline":{"type":"esriSLS","color":[0,0,0,255],"width":1}}}
    """,
    """
    {"renderer":{"type":"pieChart","size":12,"attributes":[{"field":"DEPTH","color":[0,0,0,255]},
    {"field":"KIND","color":[200,0,0,255]}]}}
    """,
    """
    {"layer":{"blendMode":"vivid-light","effect":[{"type":"blur","radius":2},{"type":"sepia","amount":0.5},
    {"type":"drop-shadow","xoffset":2,"yoffset":2,"blurRadius":1,"color":[0,0,0,255]}],"layerDefinition":
    {"featureReduction":{"type":"cluster","clusterRadius":12,"fields":[{"name":"d","onStatisticField":"DEPTH",
    "statisticType":"avg"}],"drawingInfo":{"labelingInfo":[{"symbol":{"type":"esriTS"}}]}}}}}
    """,
    """
    {"layer":{"effect":[{"scale":1000,"value":[{"type":"hue-rotate","angle":90}]},{"scale":9000,"value":
    [{"type":"hue-rotate","angle":9}]}],"layerDefinition":{"featureReduction":{"type":"binning",
    "fixedBinLevel":7}}}}
    """,
    """
    {"renderer":{"type":"simple","symbol":{"type":"CIMSymbolReference","primitiveOverrides":[{"primitiveName":
    "p","propertyName":"Size","valueExpressionInfo":{"expression":"$feature.DEPTH"}}],"symbol":{"type":
    "CIMPolygonSymbol","effects":[{"type":"CIMGeometricEffectBuffer","size":3},{"type":
    "CIMGeometricEffectCut","beginCut":1,"endCut":1}],"symbolLayers":[{"type":"CIMSimpleMarker","size":3,
    "primitiveName":"p","fillColor":[9,9,9,255],"markerPlacement":{"type":"CIMMarkerPlacementInsidePolygon",
    "stepX":5,"stepY":5,"gridType":"Random","randomness":50}},{"type":"CIMSolidStroke","width":1,"color":
    [0,0,0,255],"effects":[{"type":"CIMGeometricEffectRotate","angle":9},{"type":"CIMGeometricEffectScale",
    "XScaleFactor":2,"YScaleFactor":0.5},{"type":"CIMGeometricEffectEnclosingPolygon"}]}]}}}}
    """,
  ]
}
