/// A map with something of everything that is modelled, and members that are not.
enum CompleteWebMap {
  static let text = """
    {
      "version": "2.37", "authoringApp": "Test", "unknownAtRoot": {"kept": [1, 2.5, null]},
      "operationalLayers": [
        {
          "id": "wells", "title": "Wells", "layerType": "ArcGISFeatureLayer", "opacity": 0.5,
          "url": "https://x.example/FeatureServer/3", "path": "file:./a%20b.geodatabase?itemId=3",
          "visibility": false, "minScale": 50000, "maxScale": 0, "listMode": "hide-children",
          "refreshInterval": 2, "blendMode": "multiply", "capabilities": "Query, Sync",
          "layerDefinition": {
            "definitionExpression": "DEPTH > 3", "displayField": "NAME",
            "fieldOverrides": [{"name": "DEPTH", "alias": "Depth"}],
            "featureReduction": {"type": "cluster"}, "orderBy": [{"field": "A", "order": "asc"}],
            "drawingInfo": {
              "transparency": 20, "showLabels": true,
              "renderer": {
                "type": "uniqueValue", "field1": "STATE", "defaultLabel": "Other",
                "defaultSymbol": {
                  "type": "esriPMS", "imageData": "AAEC", "contentType": "image/png", "width": 9
                },
                "uniqueValueGroups": [
                  {
                    "heading": "In use",
                    "classes": [
                      {
                        "label": "Good", "values": [["1"], ["2"]],
                        "symbol": {
                          "type": "esriSMS", "style": "esriSMSDiamond", "size": 6,
                          "color": [1, 2, 3, 4],
                          "outline": {"type": "esriSLS", "color": [0, 0, 0, 255], "width": 1}
                        }
                      }
                    ]
                  }
                ],
                "visualVariables": [
                  {"type": "rotationInfo", "field": "A", "rotationType": "arithmetic"},
                  {
                    "type": "colorInfo", "field": "B",
                    "stops": [
                      {"value": 0, "color": [0, 0, 0, 255]},
                      {"value": 10, "color": [255, 0, 0, 255], "label": "many"}
                    ]
                  },
                  {"type": "sizeInfo", "minDataValue": 1, "maxDataValue": 5, "minSize": 2, "maxSize": 9},
                  {"type": "transparencyInfo", "stops": [{"value": 1, "transparency": 50}]}
                ]
              },
              "labelingInfo": [
                {
                  "labelExpressionInfo": {"expression": "$feature.NAME"}, "where": "A = 1",
                  "minScale": 1000, "labelPlacement": "esriServerPointLabelPlacementAboveRight",
                  "symbol": {
                    "type": "esriTS", "color": [9, 9, 9, 255], "haloColor": [255, 255, 255, 255],
                    "haloSize": 1, "font": {"family": "Noto", "size": 10, "weight": "bold"}
                  }
                }
              ]
            }
          },
          "popupInfo": {
            "title": "{NAME}", "description": null, "showAttachments": true,
            "fieldInfos": [
              {"fieldName": "NAME", "label": "Name", "visible": true, "stringFieldOption": "textbox"},
              {"fieldName": "DEPTH", "label": "", "format": {"places": 1, "digitSeparator": true}},
              {"fieldName": "DAY", "format": {"dateFormat": "longDate"}},
              {"fieldName": "N", "fieldFormat": {"type": "number", "maximumFractionDigits": 3}},
              {"fieldName": "expression/expr0", "visible": true}
            ],
            "expressionInfos": [
              {"name": "expr0", "title": "Deep", "expression": "$feature.DEPTH * 2", "returnType": "number"}
            ],
            "popupElements": [
              {"type": "text", "text": "<b>{NAME}</b>"},
              {"type": "fields", "title": "Facts", "fieldInfos": [{"fieldName": "DEPTH"}]},
              {
                "type": "media",
                "mediaInfos": [
                  {
                    "type": "piechart", "title": "Pie", "caption": "of {NAME}",
                    "value": {"fields": ["DEPTH", "N"], "normalizeField": "N", "colors": [[1, 2, 3, 4]]}
                  },
                  {"type": "image", "value": {"sourceURL": "https://x.example/{NAME}", "linkURL": "{URL}"}}
                ]
              },
              {"type": "attachments", "displayType": "list"},
              {"type": "relationship", "relationshipId": 2, "displayCount": 3},
              {"type": "expression", "expressionInfo": {"expression": "Upper($feature.NAME)"}},
              {"type": "utilityNetworkAssociations"}
            ]
          }
        },
        {
          "title": "Group", "layerType": "GroupLayer", "visibilityMode": "exclusive",
          "layers": [
            {
              "id": "breaks", "title": "Breaks", "layerType": "ArcGISFeatureLayer", "itemId": "abc",
              "layerDefinition": {
                "drawingInfo": {
                  "renderer": {
                    "type": "classBreaks", "field": "A", "minValue": 0,
                    "normalizationType": "esriNormalizeByField", "normalizationField": "B",
                    "rotationExpression": "[A]", "legendOptions": {"order": "descendingValues"},
                    "classBreakInfos": [
                      {"classMaxValue": 1, "symbol": {"type": "esriSFS", "style": "esriSFSSolid", "color": null}},
                      {"classMaxValue": 5, "label": "up to 5", "symbol": {"type": "esriPFS", "url": "a.png"}}
                    ]
                  }
                }
              }
            },
            {
              "title": "Notes", "featureCollectionType": "notes",
              "featureCollection": {
                "layers": [
                  {
                    "layerDefinition": {
                      "name": "Points", "geometryType": "esriGeometryPoint", "objectIdField": "ID",
                      "fields": [
                        {"name": "ID", "type": "esriFieldTypeOID"},
                        {"name": "TITLE", "type": "esriFieldTypeString"}
                      ],
                      "drawingInfo": {
                        "renderer": {
                          "type": "heatmap", "radius": 10,
                          "colorStops": [
                            {"ratio": 0, "color": [0, 0, 0, 0]}, {"ratio": 1, "color": [255, 0, 0, 255]}
                          ]
                        }
                      }
                    },
                    "featureSet": {
                      "geometryType": "esriGeometryPoint",
                      "features": [
                        {
                          "attributes": {"ID": 7, "TITLE": "Here"},
                          "geometry": {"x": 1, "y": 2, "spatialReference": {"wkid": 4326}}
                        }
                      ]
                    }
                  }
                ]
              }
            },
            {
              "title": "Dots", "layerType": "CSV", "url": "https://x.example/a.csv",
              "layerDefinition": {
                "drawingInfo": {
                  "renderer": {
                    "type": "dotDensity", "dotValue": 1000, "legendOptions": {"unit": "people"},
                    "attributes": [{"field": "A", "label": "All", "color": [1, 1, 1, 255]}]
                  }
                }
              }
            },
            {
              "title": "Pies", "layerType": "WFS", "url": "https://x.example/wfs",
              "layerDefinition": {
                "drawingInfo": {
                  "renderer": {
                    "type": "pieChart", "attributes": [{"field": "A", "color": [1, 1, 1, 255]}],
                    "othersCategory": {"threshold": 0.1, "label": "Rest", "color": [2, 2, 2, 255]}
                  }
                }
              }
            },
            {
              "title": "Track", "layerType": "ArcGISStreamLayer", "url": "https://x.example/StreamServer",
              "layerDefinition": {
                "drawingInfo": {
                  "renderer": {
                    "type": "temporal",
                    "observationalRenderer": {"type": "simple", "symbol": {"type": "CIMSymbolReference"}},
                    "trackRenderer": {"type": "dictionary", "dictionaryName": "a", "fieldMap": {"a": "B"}}
                  }
                }
              }
            }
          ]
        },
        {
          "id": "service", "layerType": "ArcGISMapServiceLayer", "url": "https://x.example/a_b/MapServer",
          "visibleLayers": [0, 2],
          "layers": [{"id": 0, "name": "Roads", "defaultVisibility": true, "parentLayerId": -1}]
        },
        {"title": "WMS", "layerType": "WMS", "layers": [{"name": "a"}], "visibleLayers": ["a"]},
        {"title": "New", "layerType": "LayerOfTheFuture"}
      ],
      "tables": [{"id": "t", "title": "Visits", "url": "https://x.example/FeatureServer/4"}],
      "baseMap": {
        "title": "Base",
        "baseMapLayers": [
          {"id": "osm", "title": "Streets", "layerType": "OpenStreetMap"},
          {
            "id": "web", "title": "Relief", "type": "WebTiledLayer", "subDomains": ["a"],
            "templateUrl": "https://{subDomain}.example/{level}/{col}/{row}",
            "fullExtent": {"xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1}
          },
          {
            "id": "names", "title": "Names", "layerType": "VectorTileLayer", "isReference": true,
            "path": "file:./names.vtpk", "itemPath": "file:./style"
          }
        ]
      },
      "bookmarks": [
        {
          "name": "Home", "thumbnail": {"url": "data:image/png;base64,AAEC"},
          "viewpoint": {"targetGeometry": {"x": 1, "y": 2}, "scale": 5000, "rotation": 10}
        },
        {"name": "Old", "extent": {"xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1}}
      ],
      "spatialReference": {"wkid": 102100, "latestWkid": 3857},
      "initialState": {
        "viewpoint": {"targetGeometry": {"xmin": 0, "ymin": 0, "xmax": 9, "ymax": 9}}
      },
      "background": {"color": [1, 2, 3, 255]}, "timeZone": "Europe/Zurich", "referenceScale": 1000,
      "minScale": 1000000, "maxScale": 100,
      "applicationProperties": {
        "offline": {
          "editableLayers": {"download": "features", "sync": "uploadFeaturesAndAttachments"},
          "readonlyLayers": {"downloadAttachments": false},
          "offlinebasemap": {"referenceBasemapName": "base.tpkx"},
          "connectedOnlineLayers": [{"id": "wells"}], "tables": {"includeRows": false}
        }
      },
      "transportationNetworks": [{"name": "Routing_ND", "title": "Roads", "path": "file:./r.geodatabase"}],
      "utilityNetworks": [{"title": "Water", "url": "https://x.example/UtilityNetworkServer"}]
    }
    """
}
