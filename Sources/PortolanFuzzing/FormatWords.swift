/// Pieces of formats that several targets share.
enum FormatWords {
  static let json = [
    "{", "}", "[", "]", "\"", ":", ",", "null", "true", "-1", "1e999", "\\u0000", "\\ud800", "{}",
    "[]", "\"\"", "[[[[[[[[", "{\"a\":", "\u{FEFF}", "é", "0.1",
  ]

  static let xml = [
    "<", ">", "/>", "</", "&#0;", "&#x10FFFF;", "&lt;", "&a;", "<![CDATA[", "]]>", "<!--", "-->",
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "<!DOCTYPE a [<!ENTITY a \"b\">]>",
    "xmlns:a=\"b\"",
    "<a>", "\u{0}",
  ]

  static let shapes = [
    "\"x\"", "\"y\"", "\"z\"", "\"m\"", "\"rings\"", "\"paths\"", "\"points\"", "\"curveRings\"",
    "\"curvePaths\"", "{\"c\":[[1,1],[0,2]]}", "{\"b\":[[3,3],[1,2],[2,1]]}",
    "{\"a\":[[0,0],[1,1],0,1,0,4,2]}", "\"hasZ\":true", "\"hasM\":true", "\"NaN\"",
    "\"spatialReference\":{\"wkid\":4326}", "[0,0],", "[1e308,-1e308]",
  ]

  static let spatialReference =
    json + ["wkid", "wkt", "PROJCS[", "GEOGCS[", "UNIT[", "\\\"", "PARAMETER["]
}
