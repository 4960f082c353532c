internal import CCairo
internal import PortolanGeometry

extension PictureSurface {
  /// Draws text, its halo and what is behind it.
  func draw(_ run: TextRun) {
    guard let typesetter else { return }
    typesetter.set(run.text, in: run.style)
    let box = typesetter.box
    guard box.width > 0 else { return }
    let wasTurned = isTurned
    // The ground behind and under the letters is moved with them.
    isTurned = true
    defer { isTurned = wasTurned }
    unsafe cairo_save(context)
    unsafe cairo_translate(context, run.position.x, run.position.y)
    unsafe cairo_rotate(context, run.angle * .pi / 180)
    unsafe cairo_translate(
      context, -box.xMin - box.width * run.anchor.x, -box.yMin - box.height * run.anchor.y)
    if let color = run.style.backgroundColor {
      fill(.rectangle(box.expanded(by: run.style.size / 8)), .solid(color))
    }
    if let color = run.style.borderColor {
      stroke(
        .rectangle(box.expanded(by: run.style.size / 8)),
        StrokeStyle(color: color, width: run.style.borderWidth, join: .miter))
    }
    drawHalo(of: run.style, typesetter)
    setSource(run.style.color)
    unsafe cairo_move_to(context, 0, 0)
    unsafe pango_cairo_show_layout(context, typesetter.layout)
    let lines = typesetter.lineBoxes
    if run.style.isUnderlined { drawLine(run.style, across: lines, at: 0.88) }
    if run.style.isStruckThrough { drawLine(run.style, across: lines, at: 0.55) }
    unsafe cairo_restore(context)
  }

  private func drawHalo(of style: TextStyle, _ typesetter: Typesetter) {
    guard let halo = style.haloColor, style.haloWidth > 0 else { return }
    setSource(halo)
    unsafe cairo_new_path(context)
    unsafe pango_cairo_layout_path(context, typesetter.layout)
    unsafe cairo_set_line_width(context, min(style.haloWidth, style.size) * 2)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_set_dash(context, nil, 0, 0)
    unsafe cairo_stroke(context)
  }

  /// Draws a line under or through letters, at a share of their height from the top.
  private func drawLine(_ style: TextStyle, across boxes: [Envelope], at share: Double) {
    for box in boxes {
      let top = box.yMin + box.height * share
      fill(
        .rectangle(
          Envelope(xMin: box.xMin, yMin: top, xMax: box.xMax, yMax: top + style.size * 0.07)),
        .solid(style.color))
    }
  }
}
