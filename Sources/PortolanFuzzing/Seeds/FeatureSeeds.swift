/// Layers, tables and feature sets as services describe them.
enum FeatureSeeds {
  static let layer = """
    {"id":0,"name":"Parks","type":"Feature Layer","geometryType":"esriGeometryPolygon","hasZ":true,
    "displayField":"NAME","objectIdField":"OBJECTID","globalIdField":"GlobalID","typeIdField":"KIND",
    "extent":{"xmin":-7.6e6,"ymin":5.5e6,"xmax":-7.5e6,"ymax":5.6e6,"spatialReference":{"wkid":102100}},
    "editFieldsInfo":{"creatorField":"C","editDateField":"D"},"hasAttachments":true,
    "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID","nullable":false},
    {"name":"NAME","type":"esriFieldTypeString","alias":"Name","length":40,"defaultValue":"x"},
    {"name":"KIND","type":"esriFieldTypeSmallInteger","domain":{"type":"codedValue","name":"Kinds",
    "codedValues":[{"code":1,"name":"National"},{"code":"2","name":"State"}]}},
    {"name":"MILES","type":"esriFieldTypeDouble","domain":{"type":"range","name":"M","range":[0,500]}}],
    "types":[{"id":1,"name":"National","domains":{"KIND":{"type":"inherited"}},
    "templates":[{"name":"T","prototype":{"attributes":{"KIND":1}},"drawingTool":"esriFeatureEditToolPolygon"}]}],
    "relationships":[{"id":1,"name":"ParkTrails","relatedTableId":1,"role":"esriRelRoleOrigin",
    "cardinality":"esriRelCardinalityOneToMany","keyField":"GlobalID","composite":true}]}
    """

  static let table = """
    {"layers":[{"id":1,"name":"Visits","type":"Table","fields":[{"name":"ID","type":"esriFieldTypeOID"},
    {"name":"DAY","type":"esriFieldTypeDateOnly"},{"name":"SIZE","type":"esriFieldTypeBigInteger"}],
    "subtypeField":"SIZE","subtypes":[{"code":3,"name":"Big","defaultValues":{"DAY":"2020-02-29"}}],
    "defaultSubtypeCode":3,"relationships":[{"id":2,"name":"R","relatedTableId":7,"keyField":"ID",
    "role":"esriRelRoleDestination","cardinality":"esriRelCardinalityManyToMany",
    "relationshipTableId":9,"keyFieldInRelationshipTable":"A"}]},{"id":7,"name":"Other","fields":[]}]}
    """

  static let sets = [
    """
    {"layers":[{"layerDefinition":{"name":"Points","geometryType":"esriGeometryPoint",
    "objectIdField":"ID","fields":[{"name":"ID","type":"esriFieldTypeOID"},
    {"name":"TITLE","type":"esriFieldTypeString"},{"name":"WHEN","type":"esriFieldTypeDate"},
    {"name":"DAY","type":"esriFieldTypeDateOnly"},{"name":"BYTES","type":"esriFieldTypeBlob"}]},
    "featureSet":{"geometryType":"esriGeometryPoint","features":[
    {"attributes":{"ID":7,"TITLE":"Here","WHEN":1.5e12,"DAY":"2020-02-29","BYTES":"AAEC"},
    "geometry":{"x":1,"y":2,"spatialReference":{"wkid":4326}}},
    {"attributes":{"id":8,"title":null,"WHEN":"2020-01-01T00:00:00Z"}}]}}]}
    """,
    """
    {"layers":[{"layerDefinition":{"fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}]},
    "featureSet":{"hasZ":true,"features":[{"geometry":{"rings":[[[0,0,1],[0,9,1],[9,9,1],[0,0,1]]]}},
    {"geometry":{"paths":[[[0,0],[1,1]]]}}]}}],"showLegend":true}
    """,
  ]
}
