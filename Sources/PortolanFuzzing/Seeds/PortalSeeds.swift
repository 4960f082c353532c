internal import Foundation

/// Answers of portals and services.
enum PortalSeeds {
  /// Answers to queries in the binary form: polygons, points with heights and measures, rows, lines.
  static func featureSets() -> [Data] {
    [
      """
      Ep0CCpoCCgJpZDgDQgcI1J0GEJEeSAFiTBIkCQAAAAAAAOA/EQAAAAAAAOA/GQAAAAAAAPA/IQAAAAAAAPA/GiQJ\
      AAAAAAAAWUARAAAAAAAAaUAZAAAAAAAAJMAhAAAAAAAAJMBqBgoCaWQQBmoICgRuYW1lEARqCQoFc2hhcGUQB2oI\
      CgRndWlkEAtqCAoEd2hlbhAFaigKBGtpbmQQACoeeyJ0eXBlIjoicmFuZ2UiLCJyYW5nZSI6WzAsOV19el4KAjAH\
      CgQKAsOECgMKAXgKJgokNmYyYzdiMWUtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAxCgcwgIC6u8guCgIgBBIY\
      EgIFBBoSAAAUAAAUEwAAEwQEAAgIAAcH
      """,
      """
      EroBCrcBCgNmaWRCAwjmIVABWAFiTBIkCQAAAAAAAOA/EQAAAAAAAOA/GQAAAAAAAPA/IQAAAAAAAPA/GiQJAAAA\
      AAAAWUARAAAAAAAAaUAZAAAAAAAAJMAhAAAAAAAAJMBqBwoDZmlkEAZqBQoBdhADehcKAigBCgkZAAAAAAAAAAAS\
      BhoEAAIKAHoXCgIoAgoJGVVVVVVVVdU/EgYaBAIECgB6FwoCKAMKCRlVVVVVVVXlPxIGGgQEBgoA
      """,
      """
      Ei0KKzh/agUKAWEQAWoFCgFiEA16EQoCQAUKCzj///////////8BegYKAkgBCgA=
      """,
      """
      EhAKDjgCegoSCBoGAgIEBAYG
      """,
    ].compactMap { Data(base64Encoded: $0) }
  }

  static let documents = [
    """
    {"isPortal":true,"portalName":"P","user":{"username":"a","groups":[{"id":"g","title":"G"}]},
    "helperServices":{"geocode":[{"url":"https://e.org/G","suggest":true}],"packaging":{
    "url":"https://e.org/P","exportTilesMap":[{"source":"a.org","export":"b.org"}]}},
    "defaultExtent":{"xmin":0,"ymin":0,"xmax":1,"ymax":1,"spatialReference":{"wkid":4326}}}
    """,
    """
    {"total":2,"start":1,"num":2,"nextStart":3,"results":[{"id":"a","type":"Web Map","title":"T",
    "created":1.5e12,"extent":[[-70,43],[-69,44]],"size":-1,"tags":["x"],"properties":{"a":1},
    "url":"https://e.org/x"},{"id":"b","extent":{"xmin":"NaN"}}],"resources":[{"resource":"a/b"}]}
    """,
    """
    {"mapName":"M","layers":[{"id":0,"layerId":0,"name":"L","subLayerIds":[1],"legend":[
    {"label":"x","imageData":"AAEC","values":["1"]}]}],"tables":[],"singleFusedMapCache":true,
    "tileInfo":{"rows":256,"cols":256,"origin":{"x":0,"y":0},"lods":[{"level":0,"resolution":1}]},
    "minLOD":0,"maxLOD":9,"fullExtent":{"xmin":0,"ymin":0,"xmax":1,"ymax":1},"index":[1,[0,1],0,1]}
    """,
    """
    {"objectIdFieldName":"id","fields":[{"name":"id","type":"esriFieldTypeOID"},{"name":"g",
    "type":"esriFieldTypeGlobalID"}],"features":[{"attributes":{"id":1,"g":
    "6f2c7b1e-0000-4000-8000-000000000001"},"geometry":{"rings":[[[0,0],[0,1],[1,1],[0,0]]]}},
    {"attributes":{"g":null,"id":9007199254740993},"geometry":{"x":1,"y":2}}],
    "exceededTransferLimit":true,"objectIds":[1,2],"count":2,"relatedRecordGroups":[]}
    """,
    """
    {"jobId":"j","jobStatus":"esriJobFailed","messages":[{"type":"esriJobMessageTypeError",
    "description":"no"}],"results":{"a":{"paramUrl":"results/a"}},"statusUrl":"https://e.org/j",
    "layerServerGens":[{"id":0,"serverGen":5}],"candidates":[{"address":"a","score":99,
    "location":{"x":1,"y":"NaN"},"attributes":{"ResultID":0}}],"suggestions":[{"text":"t"}],
    "addressFields":[{"name":"A"}],"capabilities":"Geocode, Suggest"}
    """,
    #"{"error":{"code":498,"message":"Invalid token.","details":["x"]},"success":false}"#,
    #"{"status":"failed","statusMessage":"{\"code\":400,\"message\":\"no\"}"}"#,
  ]
}
