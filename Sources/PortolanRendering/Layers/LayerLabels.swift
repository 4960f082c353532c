internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSymbols

/// Collects the labels of a layer while its features are drawn.
final class LayerLabels {
  private let classes: [LabelClass]
  /// The place of each class among those that go first.
  private let ranks: [Int: Int]
  private let session: DrawingSession
  private let schema: FeatureTableSchema
  private let title: String
  private let typesetter: Typesetter
  private let layerNumber: Int
  private var featureNumber = 0
  /// The sections of the label that is being added.
  private var sections: [LabelMarkup.Section] = []

  /// `nil` if the layer has no labels at any scale.
  ///
  /// If the layer has labels at other scales only, others' labels still keep off its markers.
  init?(
    _ content: FeatureLayerContent, _ layer: DrawnLayer, opacity: Double, in session: DrawingSession
  ) {
    let asks = layer.layer.showsLabels(over: content.drawingInfo.showsLabels)
    guard asks, let typesetter = Typesetter() else { return nil }
    self.typesetter = typesetter
    self.session = session
    schema = content.schema
    title = layer.layer.title
    layerNumber = session.context.layerNumber
    var classes: [LabelClass] = []
    for definition in content.drawingInfo.labelDefinitions
    where definition.scaleRange.contains(session.frame.scale) {
      do throws(FeatureStoreError) {
        classes.append(
          try LabelClass(
            definition, content.schema,
            pixelsPerPoint: session.symbolScale(content.drawingInfo), opacity: opacity))
        for problem in classes.last?.rules.problems ?? [] {
          session.omissions.add(problem, layer: title)
        }
      } catch {
        session.omissions.add(
          "a class of labels is left out: \(error.errorDescription ?? "its condition is wrong")",
          layer: title)
      }
    }
    guard !content.drawingInfo.labelDefinitions.isEmpty else { return nil }
    self.classes = classes
    let order = classes.indices.sorted {
      (classes[$0].rules.priority, $0) < (classes[$1].rules.priority, $1)
    }
    ranks = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
  }

  /// The fields whose values are requested.
  var fields: [String] { classes.flatMap(\.fields) }

  /// Takes down the labels of a feature, one for each class whose condition it meets.
  func add(_ feature: Feature, _ geometry: PixelGeometry, reach: Double) {
    featureNumber += 1
    if case .points(let points) = geometry {
      session.context.labels.addMarkers(points, reach: reach)
    }
    for (number, labels) in classes.enumerated() {
      guard let text = labels.text(for: feature.attributes) else { continue }
      switch text {
      case .text(let text):
        let markup = LabelMarkup(text)
        if markup.hasTagsNotDrawn {
          session.omissions.add(
            "sections of a label are drawn without small capitals and distances of their own",
            layer: title)
        }
        let label = ShapeableText(markup.plain)
        if label.isCut { session.omissions.add("a label is cut, for it is too long", layer: title) }
        // The remainder of a cut text may be other letters than those that the sections count.
        sections = label.isCut ? [] : markup.sections
        add(label.text, number, geometry, reach)
      case .notEvaluated(let reason): session.omissions.add("no label: \(reason)", layer: title)
      case .none: break
      }
    }
  }

  private func add(_ text: String, _ number: Int, _ geometry: PixelGeometry, _ reach: Double) {
    guard let grid = session.context.labelGrid else {
      guard let geometry = geometry.cut else { return }
      return add(text, number, geometry, reach, anchor: nil)
    }
    guard case .lines(let path) = geometry else {
      return add(text, number, geometry, reach, anchor: nil)
    }
    // Each cell has the labels of the part that is in it.
    for cell in grid.cells(touching: path.bounds) {
      let box = grid.box(of: cell)
      let part = path.cutLines(to: box)
      if !part.isEmpty { add(text, number, .lines(part), reach, anchor: box.center) }
    }
  }

  private func add(
    _ text: String, _ number: Int, _ geometry: PixelGeometry, _ reach: Double, anchor: Coordinate?
  ) {
    let rules = classes[number].rules
    let isPoint = if case .points = geometry { true } else { false }
    let key = isPoint && !rules.removesDuplicates ? nil : "\(layerNumber) \(text)"
    for label in classes[number].labels(
      for: text, sections, geometry, reach: reach, typesetter)
    {
      var candidate = LabelCandidate(
        places: label.places, anchor: anchor ?? label.anchor,
        rank: LabelRank(
          layer: -layerNumber, definition: ranks[number] ?? number, feature: featureNumber),
        textOverlap: LabelCandidate.Overlap(isAllowed: rules.mayOverlap),
        coversMarkers: isPoint && label.places.count == 1,
        repeatKey: key, repeatDistance: rules.repeatDistance)
      candidate.layering.layer = layerNumber
      if !session.context.labels.add(candidate) {
        session.omissions.add("there are too many labels for one picture", layer: title)
      }
    }
  }
}
