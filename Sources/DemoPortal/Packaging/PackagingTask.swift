internal import PortolanJSON

/// The tasks of the service that makes map areas.
enum PackagingTask: String, CaseIterable, Sendable {
  case createMapArea = "CreateMapArea"
  case setupMapArea = "SetupMapArea"
  case refreshMapAreaPackage = "RefreshMapAreaPackage"

  /// The names of the input parameters, and that of the output.
  private var parameters: (inputs: [String], output: String) {
    switch self {
    case .createMapArea:
      (["mapItemId", "bookmark", "extent", "areaType", "area", "outputName"], "mapAreaItemId")
    case .setupMapArea:
      (["mapAreaItemId", "mapLayersToIgnore", "tileServices", "featureServices"], "packages")
    case .refreshMapAreaPackage: (["packages"], "result")
    }
  }

  /// The name of what comes out.
  var output: String { parameters.output }

  /// The task as its address describes it.
  var description: JSONValue {
    let inputs = parameters.inputs.map { parameter($0, direction: "Input") }
    return [
      "name": .string(rawValue), "displayName": .string(rawValue), "description": "",
      "category": "", "helpUrl": "", "executionType": "esriExecutionTypeAsynchronous",
      "parameters": .array(inputs + [parameter(output, direction: "Output")]),
    ]
  }

  private func parameter(_ name: String, direction: String) -> JSONValue {
    [
      "name": .string(name), "dataType": "GPString", "displayName": .string(name),
      "description": "", "direction": .string("esriGPParameterDirection\(direction)"),
      "defaultValue": "", "parameterType": "esriGPParameterTypeOptional", "category": "",
    ]
  }
}
