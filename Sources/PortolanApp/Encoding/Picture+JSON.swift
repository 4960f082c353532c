public import PortolanGeometry
public import PortolanJSON
public import PortolanMap

extension MapPicture {
  /// The content of a picture and its omissions, as JSON output holds them.
  ///
  /// - Parameter frame: The window that it shows.
  /// - Returns: The members but the place where the picture itself is, which the shell knows.
  public func json(of frame: MapFrame) -> JSONObject {
    var members: JSONObject = [
      "file": .null, "format": .string(format.rawValue), "width": JSONValue(orNull: width),
      "height": JSONValue(orNull: height), "bytes": JSONValue(orNull: data.count),
      "center": JSONValue(position: frame.centerInDegrees), "scale": .number(frame.scale),
      "rotation": .number(frame.rotation), "omissions": .array(omissions.map(\.json)),
    ]
    // Layers of files are there or not; those of services have states of their own.
    if layers.contains(where: \.isOnline) { members["layers"] = .array(layers.map(\.json)) }
    return members
  }
}

extension PictureOmission {
  /// The omission, as JSON output holds it.
  public var json: JSONValue {
    [
      "layer": JSONValue(orNull: layer), "reason": .string(reason),
      "count": JSONValue(orNull: count),
    ]
  }
}
