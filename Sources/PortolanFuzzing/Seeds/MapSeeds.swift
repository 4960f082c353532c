/// Web maps, each small so that mutations meet everything, and popups.
enum MapSeeds {
  static let words = [
    "\"layers\":[", "\"layerType\":\"GroupLayer\"", "\"layerDefinition\":{", "\"drawingInfo\":{",
    "\"renderer\":{", "\"type\":\"uniqueValue\"", "\"type\":\"classBreaks\"", "\"symbol\":{",
    "\"visualVariables\":[", "\"type\":\"esriPMS\"", "\"version\":\"3\"", "\"popupInfo\":{",
    "\"bookmarks\":[", "\"url\":\"https://x.example/MapServer\"",
  ]

  static let maps = [
    map(layers: uniqueValues), map(layers: classBreaks), map(layers: groups), map(layers: notes),
    map(layers: others), settings,
    map(
      layers:
        "{\"id\":\"wells\",\"popupInfo\":\(popups[0]),\"url\":\"https://x.example/FeatureServer/3\"}"
    ),
  ]

  static let popups = [
    """
    {"title":"{NAME} ({DEPTH})","description":"<p>Deep: <b>{DEPTH}</b> {expression/e}<br/>{DRILLED}</p>",
    "showAttachments":true,"fieldInfos":[{"fieldName":"NAME","label":"Name","visible":true},
    {"fieldName":"DEPTH","visible":true,"format":{"places":1,"digitSeparator":true}},
    {"fieldName":"DRILLED","visible":true,"format":{"dateFormat":"longMonthDayYearShortTime"}},
    {"fieldName":"expression/e","visible":true},{"fieldName":"relationships/1/A","visible":true}],
    "expressionInfos":[{"name":"e","title":"Deep","expression":"$feature.DEPTH * 2"}],
    "mediaInfos":[{"type":"image","value":{"sourceURL":"https://x.example/{NAME}","linkURL":"{NAME}"}}]}
    """,
    """
    {"title":"&lt;{KIND}&gt;","popupElements":[{"type":"text","text":"<ul><li>{NAME}</li></ul>&amp;"},
    {"type":"fields","title":"Facts","fieldInfos":[{"fieldName":"DEPTH"},
    {"fieldName":"KIND","fieldFormat":{"type":"number","maximumFractionDigits":3}}]},
    {"type":"media","mediaInfos":[{"type":"piechart","title":"Pie","caption":"of {NAME}",
    "value":{"fields":["DEPTH","KIND"],"normalizeField":"KIND","colors":[[1,2,3,4]]}}]},
    {"type":"attachments","displayType":"list"},{"type":"relationship","relationshipId":2,"displayCount":3},
    {"type":"expression","expressionInfo":{"expression":"Upper($feature.NAME)"}},{"type":"other"}]}
    """,
  ]

  private static func map(layers: String) -> String {
    """
    {"operationalLayers":[\(layers)],"baseMap":{"title":"Base","baseMapLayers":[]},
    "spatialReference":{"wkid":102100},"version":"2.31"}
    """
  }

  private static let uniqueValues = """
    {"id":"wells","title":"Wells","layerType":"ArcGISFeatureLayer","opacity":0.5,
    "path":"file:./a%20b.geodatabase?itemId=3","visibility":false,"minScale":50000,
    "layerDefinition":{"definitionExpression":"DEPTH > 3","drawingInfo":{"transparency":20,
    "renderer":{"type":"uniqueValue","field1":"KIND","defaultLabel":"Other",
    "defaultSymbol":{"type":"esriPMS","imageData":"AAEC","contentType":"image/png","width":9},
    "uniqueValueGroups":[{"heading":"In use","classes":[{"label":"Good","values":[["1"],["2"]],
    "symbol":{"type":"esriSMS","style":"esriSMSDiamond","size":6,"color":[1,2,3,4],
    "outline":{"type":"esriSLS","color":[0,0,0,255],"width":1}}}]}],
    "visualVariables":[{"type":"rotationInfo","field":"DEPTH","rotationType":"arithmetic"},
    {"type":"colorInfo","field":"KIND","stops":[{"value":0,"color":[0,0,0,255]},
    {"value":10,"color":[255,0,0,255],"label":"many"}]},
    {"type":"sizeInfo","minDataValue":1,"maxDataValue":5,"minSize":2,"maxSize":9}]},
    "labelingInfo":[{"labelExpressionInfo":{"expression":"$feature.NAME"},"where":"A = 1",
    "symbol":{"type":"esriTS","color":[9,9,9,255],"font":{"family":"Noto","size":10}}}]}}}
    """

  private static let classBreaks = """
    {"id":"breaks","layerType":"ArcGISFeatureLayer","itemId":"abc","layerDefinition":{"drawingInfo":
    {"renderer":{"type":"classBreaks","field":"DEPTH","minValue":0,
    "normalizationType":"esriNormalizeByField","normalizationField":"KIND",
    "rotationExpression":"[DEPTH]","legendOptions":{"order":"descendingValues"},
    "classBreakInfos":[{"classMaxValue":1,"symbol":{"type":"esriSFS","style":"esriSFSSolid","color":null}},
    {"classMaxValue":5,"label":"up to 5","symbol":{"type":"esriPFS","url":"a.png"}}]}}}}
    """

  private static let groups = """
    {"title":"Group","layerType":"GroupLayer","visibilityMode":"exclusive","layers":[
    {"title":"Inner","layerType":"GroupLayer","layers":[{"id":"a","layerType":"VectorTileLayer",
    "styleUrl":"https://x.example/root.json","itemPath":"file:./style"}]},
    {"id":"service","layerType":"ArcGISMapServiceLayer","url":"https://x.example/a_b/MapServer",
    "visibleLayers":[0,2],"layers":[{"id":0,"name":"Roads","defaultVisibility":true,"parentLayerId":-1}]},
    {"title":"Subtypes","layerType":"SubtypeGroupLayer","layers":[{"subtypeCode":1}]}]}
    """

  private static let notes = """
    {"title":"Notes","featureCollectionType":"notes","featureCollection":{"layers":[{"layerDefinition":
    {"name":"Points","geometryType":"esriGeometryPoint","objectIdField":"ID",
    "fields":[{"name":"ID","type":"esriFieldTypeOID"},{"name":"TITLE","type":"esriFieldTypeString"}],
    "drawingInfo":{"renderer":{"type":"heatmap","radius":10,"colorStops":[{"ratio":0,"color":[0,0,0,0]},
    {"ratio":1,"color":[255,0,0,255]}]}}},"featureSet":{"geometryType":"esriGeometryPoint",
    "features":[{"attributes":{"ID":7,"TITLE":"Here"},"geometry":{"x":1,"y":2}}]}}]}}
    """

  private static let others = """
    {"title":"Dots","layerType":"CSV","url":"https://x.example/a.csv","layerDefinition":{"drawingInfo":
    {"renderer":{"type":"dotDensity","dotValue":1000,"attributes":[{"field":"A","color":[1,1,1,255]}]}}}},
    {"title":"Pies","layerType":"WFS","layerDefinition":{"drawingInfo":{"renderer":{"type":"pieChart",
    "attributes":[{"field":"A","color":[1,1,1,255]}],"othersCategory":{"threshold":0.1,"label":"Rest"}}}}},
    {"title":"Track","layerType":"ArcGISStreamLayer","layerDefinition":{"drawingInfo":{"renderer":
    {"type":"temporal","observationalRenderer":{"type":"simple","symbol":{"type":"CIMSymbolReference"}},
    "trackRenderer":{"type":"dictionary","dictionaryName":"a","fieldMap":{"a":"B"}}}}}},
    {"title":"WMS","layerType":"WMS","layers":[{"name":"a"}],"visibleLayers":["a"]},
    {"title":"Relief","type":"WebTiledLayer","subDomains":["a"],"templateUrl":"https://{subDomain}/{level}"}
    """

  private static let settings = """
    {"operationalLayers":[],"tables":[{"id":"t","title":"Visits","url":"https://x.example/FeatureServer/4"}],
    "bookmarks":[{"name":"Home","thumbnail":{"url":"data:image/png;base64,AAEC"},
    "viewpoint":{"targetGeometry":{"x":1,"y":2},"scale":5000,"rotation":10}},
    {"name":"Old","extent":{"xmin":0,"ymin":0,"xmax":1,"ymax":1}}],
    "initialState":{"viewpoint":{"targetGeometry":{"xmin":0,"ymin":0,"xmax":9,"ymax":9}}},
    "background":{"color":[1,2,3,255]},"timeZone":"Europe/Zurich","referenceScale":1000,"maxScale":100,
    "applicationProperties":{"offline":{"editableLayers":{"download":"features"},
    "readonlyLayers":{"downloadAttachments":false},"connectedOnlineLayers":[{"id":"wells"}]}},
    "transportationNetworks":[{"name":"Routing_ND","path":"file:./r.geodatabase"}],
    "baseMap":{"baseMapLayers":[{"id":"osm","layerType":"OpenStreetMap"}]},"version":"2.37"}
    """
}
