/// Boxes in a fixed order, with a coarser layer above them so that most are never looked at.
///
/// One layer of about √n groups is enough here: the boxes are edges along a ring or rings sorted
/// from west to east, so that neighbours in the list are neighbours in the plane.
struct BoxIndex {
  private let boxes: [Envelope]
  private let groups: [Envelope]
  private let groupSize: Int

  init(_ boxes: [Envelope]) {
    self.boxes = boxes
    let groupSize = max(16, Int(Double(boxes.count).squareRoot()))
    self.groupSize = groupSize
    groups = stride(from: 0, to: boxes.count, by: groupSize).map { start in
      boxes[start..<min(start + groupSize, boxes.count)].reduce(.empty) { $0.union($1) }
    }
  }

  /// Calls `body` with the position of each box that meets `box`; returns how many were looked at.
  func visit(intersecting box: Envelope, _ body: (Int) -> Void) -> Int {
    var effort = groups.count
    for (group, outline) in groups.enumerated() where outline.intersects(box) {
      let start = group * groupSize
      let end = min(start + groupSize, boxes.count)
      effort += end - start
      for position in start..<end where boxes[position].intersects(box) { body(position) }
    }
    return effort
  }
}
