internal import PortolanJSON

/// Describes the geocoder, `GeocodeServer?f=json`.
struct GeocodeServiceResource: Sendable {
  /// The kinds of place that it knows.
  let types: [String]

  var json: JSONValue {
    [
      "currentVersion": 11.5, "serviceDescription": "Names of Maine",
      "addressFields": .array([
        Self.field("Address", "Address or Place"), Self.field("Neighborhood", "Neighborhood"),
        Self.field("City", "City"), Self.field("Subregion", "County"),
        Self.field("Region", "State"),
      ]),
      "categories": .array(
        types.map { type in
          [
            "name": .string(type),
            "localizedNames": ["en": .array([.string(type)])], "categories": [],
          ]
        }),
      "singleLineAddressField": Self.field("SingleLine", "Single Line Input", length: 200),
      "candidateFields": .array([
        Self.field("Loc_name", "Loc_name"), Self.field("Score", "Score", "Double"),
        Self.field("Match_addr", "Match_addr"), Self.field("Addr_type", "Addr_type"),
        Self.field("Type", "Type"), Self.field("PlaceName", "PlaceName"),
        Self.field("X", "X", "Double"), Self.field("Y", "Y", "Double"),
      ]),
      "intersectionCandidateFields": [], "spatialReference": ["wkid": 4326, "latestWkid": 4326],
      "locatorProperties": [
        "MaxBatchSize": 1000, "SuggestedBatchSize": 150, "MinimumMatchScore": 60,
        "LoadBalancerTimeOut": 60,
      ],
      "detailedCountries": [], "countries": ["USA"],
      "capabilities": "Geocode,ReverseGeocode,Suggest",
    ]
  }

  private static func field(
    _ name: String, _ alias: String, _ type: String = "String", length: Int64 = 100
  ) -> JSONValue {
    var members: JSONObject = [
      "name": .string(name), "type": .string("esriFieldType\(type)"), "alias": .string(alias),
      "required": false,
    ]
    if type == "String" { members["length"] = .integer(length) }
    members["localizedNames"] = [:]
    members["recognizedNames"] = [:]
    return .object(members)
  }
}
