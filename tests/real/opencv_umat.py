# SPDX-License-Identifier: Apache-2.0
"""OpenCV's transparent API: the same calls as on the host, on arrays that live on the device."""
import cv2
import numpy

cv2.ocl.setUseOpenCL(True)
if not cv2.ocl.useOpenCL():
    raise SystemExit("OpenCV does not find the OpenCL device")

picture = (numpy.arange(96 * 96 * 3) * 31 % 251).astype(numpy.uint8).reshape(96, 96, 3)
grey = cv2.cvtColor(cv2.UMat(picture), cv2.COLOR_BGR2GRAY)
blurred = cv2.GaussianBlur(grey, (5, 5), 1.0)
steps = {
    "grey": grey,
    "blurred": blurred,
    "edges": cv2.Sobel(blurred, cv2.CV_16S, 1, 0),
    "smaller": cv2.resize(blurred, (48, 48), interpolation=cv2.INTER_LINEAR),
    "black and white": cv2.threshold(blurred, 100, 255, cv2.THRESH_BINARY)[1],
    "eroded": cv2.erode(blurred, None),
    "sum": cv2.add(grey, blurred),
    "turned": cv2.flip(cv2.transpose(grey), 1),
}
for name, array in steps.items():
    values = array.get().astype(numpy.int64)
    weights = numpy.arange(values.size).reshape(values.shape) % 97
    print(name, values.shape, int(values.sum()), int((values * weights).sum()))
