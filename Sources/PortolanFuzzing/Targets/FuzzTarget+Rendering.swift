internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanRendering

extension FuzzTarget {
  /// Pictures are decoded, whatever they claim to be.
  static let picture = FuzzTarget(
    "picture", words: ["IHDR", "IDAT", "IEND", "RIFF", "WEBP", "VP8L", "\u{FF}\u{D8}"],
    seeds: RenderingSeeds.pictures
  ) { data in
    // Hardly a changed PNG file would get past the sums of its parts.
    let image = try PixelImage(decoding: data.withRepairedSums)
    try FuzzFinding.check(
      image.pixels.count == image.width * image.height, "a picture lacks pixels")
    let again = try FuzzFinding.mustWork("written and read again") {
      try PixelImage(decoding: image.pngData())
    }
    try FuzzFinding.check(again.width == image.width, "a picture changes when it is written")
  }

  /// Features are drawn as changed drawing information asks, with their labels.
  static let drawing = FuzzTarget(
    "drawing", cost: 8, words: FormatWords.json + RenderingSeeds.words, form: .json,
    texts: RenderingSeeds.drawings
  ) { data in
    guard let object = try JSONValue(parsing: data).object else { return }
    var layers: [DrawnLayer] = []
    var layerJSON = object.object("layer") ?? [:]
    layerJSON["title"] = "Wells"
    layerJSON["showLabels"] = true
    layerJSON["visibility"] = true
    for type in [GeometryType.polygon, .polyline, .point] {
      let features = RenderingSeeds.features(type)
      let schema = FeatureTableSchema(
        name: "Wells", geometryType: type, spatialReference: .webMercator,
        fields: WhereSeeds.fields.fields)
      let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: features)])
      layers.append(
        DrawnLayer(
          layer: Layer(json: layerJSON),
          content: .features([
            FeatureLayerContent(
              store: store, schema: schema, drawingInfo: DrawingInfo(json: object),
              popup: PopupDefinition(schema: schema))
          ])))
    }
    let frame = MapFrame(
      center: Coordinate(x: 0, y: 0), scale: 3780, width: 48, height: 48,
      spatialReference: .webMercator, properties: .webMercator)
    let request = MapPictureRequest(frame: frame, concurrency: 1)
    _ = try await MapRenderer(layers: layers).picture(request)
    for entry in Renderer(json: object["renderer"])?.legendEntries.prefix(20) ?? [] {
      _ = try SwatchRenderer().pngData(of: entry.swatch)
    }
  }
}

extension Data {
  /// The same PNG file with the sums that its parts should have; other data as they are.
  fileprivate var withRepairedSums: Data {
    var bytes = [UInt8](self)
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return self }
    var offset = 8
    while offset + 12 <= bytes.count {
      let length = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - offset - 12 else { break }
      let end = offset + 8 + length
      let sum = Self.sum(bytes[(offset + 4)..<end])
      for place in 0..<4 { bytes[end + place] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * place)) }
      offset = end + 4
    }
    return Data(bytes)
  }

  /// CRC-32, as in PNG and ZIP.
  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { bits, _ in
        bits & 1 == 1 ? bits >> 1 ^ 0xEDB8_8320 : bits >> 1
      }
    }
  }
}
