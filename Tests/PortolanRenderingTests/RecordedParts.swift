import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanRendering

/// A picture with a part of it left out.
struct PictureWithout {
  /// The most features of a layer that are left out one by one, evenly chosen.
  private static let maximumFeatures = 10

  /// The part that is left out, for messages.
  let part: String
  let layers: [DrawnLayer]

  /// The layers without each of them, without each one's labels, without each feature.
  static func all(_ layers: [DrawnLayer], features: Bool) async throws -> [PictureWithout] {
    var all: [PictureWithout] = []
    for (index, layer) in layers.enumerated() {
      func without(_ part: String, _ changed: DrawnLayer?) {
        var rest = layers
        rest[index...index] = changed.map { [$0] } ?? []
        all.append(PictureWithout(part: "layer \(index + 1)\(part)", layers: rest))
      }
      without("", nil)
      if layer.layer.json["showLabels"] == true {
        var bare = layer
        var json = layer.layer.json
        json["showLabels"] = false
        bare.layer = Layer(json: json)
        without(", labels", bare)
      }
      guard features, case .features(let tables) = layer.content, let table = tables.first else {
        continue
      }
      for id in try await ids(table) {
        var less = layer
        less.content = .features([
          FeatureLayerContent(
            store: PartlyUnreadableStore(table.store, unreadable: [id]), schema: table.schema,
            drawingInfo: table.drawingInfo, popup: table.popup)
        ])
        without(", feature \(id)", less)
      }
    }
    return all
  }

  private static func ids(_ table: FeatureLayerContent) async throws -> [Int64] {
    var ids: [Int64] = []
    for try await feature in table.store.features(
      in: table.schema.name, matching: QueryParameters())
    { ids.append(feature.objectID) }
    let step = max(ids.count / maximumFeatures, 1)
    return stride(from: 0, to: ids.count, by: step).map { ids[$0] }
  }
}

/// Expects the recorded picture not to agree with what is left when a part is left out.
///
/// Each layer, each layer's labels and each symbol is left out once. `unseen` are parts that draw
/// nothing; where `mayBeElsewhere` is set, others may draw nothing too.
func expectEachPartIsSeen(
  _ layers: [DrawnLayer], _ request: MapPictureRequest, named name: String,
  features: Bool = true, unseen: Set<String> = [], mayBeElsewhere: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  guard !RecordedPicture.isRecording else { return }
  let whole =
    mayBeElsewhere ? try await MapRenderer(layers: layers).image(request).image : nil
  for mutant in try await PictureWithout.all(layers, features: features) {
    let image = try await MapRenderer(layers: mutant.layers).image(request).image
    // Of maps from elsewhere, a layer may have next to nothing on the ground that is drawn.
    if let whole,
      InkComparison(image, whole, threshold: RecordedPicture.threshold).share
        <= RecordedPicture.tolerance
    {
      continue
    }
    let share = try RecordedPicture.difference(image, named: name)
    #expect(
      (share > RecordedPicture.tolerance) == !unseen.contains(mutant.part),
      "\(name) agrees without \(mutant.part), or not", sourceLocation: sourceLocation)
  }
}

extension SmallMap {
  /// The request of ``picture(_:frame:format:concurrency:pixelRatio:referenceScale:)``.
  static func request(
    width: Double = 120, height: Double = 80, pixelRatio: Double = 1
  ) -> MapPictureRequest {
    MapPictureRequest(frame: frame(width: width, height: height), pixelRatio: pixelRatio)
  }
}
