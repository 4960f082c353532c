internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

/// Vector tiles, letters and styles that draw them.
enum VectorStyleSeeds {
  /// An area, two lines and two points with names, in layers `a`, `l` and `p`.
  static let tile = decoded(
    """
    Gj14AgoBYRIbCAcSBAAAAQEYAyIPCbQBtAEajAEAAHiLAQAPGgRuYW1lGgRyYW5rIgYKBEhJTEwiAiADKIACGmR4AgoBbBIWCAcSBAAAAQEY
    AiIKCaAByAESUCh4ChIUCAcSBAACAQMYAiIICegC+gEKKEYaBG5hbWUaBHJhbmsiCwoJVElMTCBISUxUIgIgAiILCglUSUxMIEhJTFQiAiAC
    KIACGjR4AgoBcBITCAcSBAAAAQEYASIHEYACgAIYIxoEbmFtZRoEcmFuayIFCgNISVQiAiABKIAC
    """)

  /// The letters H, I, L, T and the blank of a font `S`.
  static let glyphs = decoded(
    """
    CpcECgFTEgUwLTI1NRqGAQhIEnhPYm5wbm1wb2VTYnyNj42Lj46AaG6Nqa+qpa+tk3Rwj6/PsavKtpZ2cI+vz7GryraWdnCPr8/Bwcq2lnZw
    j6/Pv7/KtpZ2cI+vz7GryraWdnCPr86xq8q2lnZujKiuqaSuq5J0YXqLjoyKjo1/Z01hbG5ta25tZFIYBCAGKAIwDzgHGmIISRJUT2JucG5j
    UGJ8jY+NfWRujamvqo5wcI+vz7GRcXCPr8+xkXFwj6/PsZFxcI+vz7GRcXCPr8+xkXFwj6/OsZFxboyorqmOb2F6i46MfGNNYWxubWJPGAEg
    BigCMA84BBp6CEwSbE9ibnBuY1A3HWJ8jY+NfWRHKm6Nqa+qjnBQMXCPr8+xkXFRMXCPr8+xkXFRPHCPr8+xkXJnVHCPr8+xk5GBaHCPr8+y
    sq6Sc3CPr87OzrSUdG6MqK6urqqRcmF6i46Ojo1+Zk1hbG5ubm1jURgDIAYoAjAPOAYakwEIVBKEAU9ibnBwcHBwalpEYnyNj4+Pj4+HcVZu
    jamvr6+vr51/YHCPr8/Pz8/BoYFhbo2qsbfJsbGef2BjfY6Xt8mpkYhyVlBkeJe3yamJa1tFOFh4l7fJqYlpSS84WHiXt8mpiWlJKTdWdZSs
    rqOGZ0goL0xogI2OiXZcPyIhPFNlbm5rXkkwFRgFIAYoAjAPOAgaDAggGAAgACgCMA84Aw==
    """)

  static func tiles() -> [Data] { [tile] }

  static func letters() -> [Data] { [glyphs] }

  static let words = [
    "layers", "fill", "line", "symbol", "circle", "background", "fill-color", "line-width",
    "text-field", "icon-image", "interpolate", "linear", "exponential", "cubic-bezier", "step",
    "match", "case", "let", "var", "get", "zoom", "stops", "base", "property", "categorical",
    "identity", "in", "has", "concat", "format", "slice", "1e300", "-1e9", "symbol-placement",
    "line-center", "text-variable-anchor", "icon-text-fit", "line-pattern", "ref", "heatmap",
    "heatmap-density", "heatmap-radius", "fill-extrusion", "fill-extrusion-height", "light",
    "line-gradient", "line-progress", "lineMetrics", "geojson", "hillshade", "raster-dem", "image",
    "encoding", "coordinates", "text-writing-mode", "vertical",
  ]

  /// A package of which one file is left to be written.
  static func parts(style: String = styles[0], tile: Data = tile) throws -> [PackagePart] {
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 8, yMax: 8)
    let canvas = try Canvas(
      of: ground, width: 8, height: 8, background: RGBAColor(red: 200, green: 100, blue: 50))
    return [
      PackagePart("p12/resources/styles/root.json", style),
      PackagePart("p12/resources/fonts/S/0-255.pbf", glyphs),
      PackagePart("p12/resources/sprites/sprite.json", sprite),
      PackagePart("p12/root.json", TilePackageSeeds.root(isVector: true)),
      PackagePart("p12/tilemap/root.json", #"{"index":[0,0,0,0]}"#),
      TilePackageSeeds.bundleV2("p12/tile/L00/R0000C0000.bundle", tile: tile),
      PackagePart("p12/resources/sprites/sprite.png", try canvas.pngData()),
    ]
  }

  private static let sprite = """
    {"i":{"x":0,"y":0,"width":4,"height":4,"pixelRatio":1},"s":{"x":2,"y":2,"width":6,"height":6,"pixelRatio":1,
    "sdf":true},"outside":{"x":4,"y":4,"width":9,"height":9,"pixelRatio":1}}
    """

  static let styles = [
    """
    {"version":8,"sprite":"../sprites/sprite","glyphs":"../fonts/{fontstack}/{range}.pbf","layers":[
    {"id":"b","type":"background","paint":{"background-color":"#eee"}},
    {"id":"a","type":"fill","source-layer":"a","paint":{"fill-color":["match",["get","name"],"HILL","#8a8","red"],
    "fill-outline-color":"hsl(10,20%,30%)","fill-translate":[2,3]}},
    {"id":"l","type":"line","source-layer":"l","layout":{"line-join":"round"},"paint":{"line-width":{"base":1.2,
    "stops":[[0,2],[9,6]]},"line-dasharray":[2,1],"line-gap-width":2,"line-blur":1,"line-color":["interpolate",
    ["linear"],["zoom"],0,"#000","4","#fff"]}},
    {"id":"n","type":"symbol","source-layer":"l","layout":{"symbol-placement":"line","text-font":["S"],
    "text-field":"{name}","text-size":9,"symbol-spacing":40,"icon-image":"i"},"paint":{"text-halo-width":1,
    "text-halo-color":"#fff","text-halo-blur":1}},
    {"id":"p","type":"symbol","source-layer":"p","layout":{"text-font":["S"],"text-field":["upcase",["get","name"]],
    "icon-image":"s","icon-text-fit":"both","text-variable-anchor":["top","left"],"text-radial-offset":1},
    "paint":{"icon-color":"#f00","icon-halo-color":"#ff0","icon-halo-width":1}}]}
    """,
    """
    {"version":8,"sprite":"../sprites/sprite","layers":[{"id":"c","type":"circle","source-layer":"p","filter":["all",
    [">","rank",0],["in","$type","Point","LineString"]],"paint":{"circle-radius":{"property":"rank","stops":[[{"zoom":0,
    "value":0},1],[{"zoom":0,"value":3},9],[{"zoom":9,"value":0},4]]},"circle-blur":0.5,"circle-stroke-width":1}},
    {"id":"d","ref":"c","paint":{"circle-color":["let","x",["get","rank"],["rgb",["*",["var","x"],20],0,0]]}},
    {"id":"e","ref":"e"},{"id":"f","type":"fill","source-layer":"a","paint":{"fill-pattern":"i"}},
    {"id":"g","type":"line","source-layer":"l","paint":{"line-pattern":["step",["zoom"],"i",5,"outside"],"line-width":4}},
    {"id":"h","type":"symbol","source-layer":"p","layout":{"text-field":["format",["slice",["get","name"],0,2],{},
    ["number-format",["get","rank"],{"max-fraction-digits":1}],{}],"text-font":["Nobody"],"text-rotate":30,
    "icon-image":"{name}"}}]}
    """,
    """
    {"version":8,"light":{"intensity":0.4,"color":"#ffe","position":[1.2,90,40]},"layers":[
    {"id":"h","type":"heatmap","source-layer":"p","paint":{"heatmap-radius":["get","rank"],"heatmap-weight":2,
    "heatmap-intensity":["interpolate",["linear"],["zoom"],0,1,9,3],"heatmap-color":["step",["heatmap-density"],
    "rgba(0,0,0,0)",0.1,"#00f",0.5,"#f00"],"heatmap-opacity":0.7}},
    {"id":"x","type":"fill-extrusion","source-layer":"a","paint":{"fill-extrusion-height":["get","rank"],
    "fill-extrusion-color":"#864","fill-extrusion-opacity":0.5,"fill-extrusion-translate":[1,2]}},
    {"id":"f","type":"fill","source-layer":"a","paint":{"fill-color":"rgba(9,9,9,0.5)"}}]}
    """,
    """
    {"version":8,"glyphs":"../fonts/{fontstack}/{range}.pbf","sources":{"g":{"type":"geojson","lineMetrics":true,
    "data":{"type":"MultiLineString","coordinates":[[[0,0],[0.00002,0.00005],[0.00005,0]],[[0,0],[0.00007,0.00007]]]}},
    "i":{"type":"image","url":"a.png","coordinates":[[0,1],[1,1],[1,0],[0,0]]},"d":{"type":"raster-dem","encoding":
    "custom","redFactor":1e9}},"layers":[{"id":"l","type":"line","source":"g","layout":{"line-join":"miter"},"paint":{
    "line-width":3,"line-offset":1,"line-gradient":["interpolate",["linear"],["line-progress"],0,"red",1,
    "rgba(0,0,255,0)"]}},{"id":"r","type":"raster","source":"i"},{"id":"h","type":"hillshade","source":"d"},
    {"id":"e","type":"color-relief","source":"d","paint":{"color-relief-color":["interpolate",["linear"],["elevation"],
    0,"red",9,"#00f0"]}},
    {"id":"t","type":"symbol","source":"g","layout":{"text-field":"HILL一","text-font":["S"],"text-writing-mode":
    ["vertical"],"text-letter-spacing":["interpolate",["linear"],["zoom"],1,0,9,2]}}]}
    """,
  ]

  private static func decoded(_ text: String) -> Data {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
  }
}
